import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import {
  assertFails,
  initializeTestEnvironment,
  type RulesTestContext,
  type RulesTestEnvironment,
} from "@firebase/rules-unit-testing";
import {
  arrayUnion,
  collection,
  collectionGroup,
  deleteDoc,
  deleteField,
  doc,
  endAt,
  getCountFromServer,
  getDocs,
  increment,
  limit,
  limitToLast,
  onSnapshot,
  or,
  orderBy,
  query,
  runTransaction,
  serverTimestamp,
  setDoc,
  setLogLevel,
  startAt,
  Timestamp,
  updateDoc,
  where,
  writeBatch,
  type DocumentReference,
  type Firestore,
  type Query,
} from "firebase/firestore";

// What a client of the JavaScript SDK tries that no line of
// tests/rules/testdata/access.txt can say: transforms, batches, transactions, listeners,
// cursors and disjunctions. No browser is needed.

const product = "0123456789abcdef0123";
let rules: RulesTestEnvironment;

test.beforeAll(async () => {
  setLogLevel("silent"); // it tells of each refusal
  const { hostname, port } = new URL(process.env.HIBANA_FIRESTORE!);
  rules = await initializeTestEnvironment({
    projectId: `demo-rules-of-web-${test.info().workerIndex}`,
    firestore: {
      host: hostname,
      port: Number(port),
      rules: readFileSync(new URL("../../firestore.rules", import.meta.url), "utf8"),
    },
  });
});

test.beforeEach(async () => {
  await rules.clearFirestore();
  await rules.withSecurityRulesDisabled(async (context) => {
    const db = firestore(context);
    const all = writeBatch(db);
    const tweet = (id: string, more = {}) =>
      all.set(doc(db, "tweets", id), {
        authorId: "ann",
        visibility: "public",
        isViolative: false,
        createdAt: Timestamp.now(),
        ...more,
      });
    tweet("open");
    tweet("closed", { visibility: "followers" });
    tweet("flagged", { isViolative: true });
    all.set(doc(db, "users", "ann"), { username: "ann", followerCount: 0, isFrozen: false });
    all.set(doc(db, "userSecrets", "ann"), { email: "ann@example.com" });
    all.set(doc(db, "users/ann/notificationLists", "newest"), {
      notifications: { like_open: { isRead: false, countUsers: 3 } },
    });
    all.set(doc(db, "users/ann/orders", "order"), { userId: "ann", status: "pending", total: 300 });
    all.set(doc(db, "heads", "ann"), { userId: "ann", entries: {} });
    all.set(doc(db, "likes", "ann_open"), { userId: "ann", tweetId: "open" });
    all.set(doc(db, "products", product), {
      name: "Senko",
      price: { amount: 300, currency: "JPY" },
      amountInStock: 5,
      active: true,
    });
    all.set(doc(db, "carts", "ann"), {
      items: {},
      seen: { [product]: { amount: 300, currency: "JPY" } },
      updatedAt: Timestamp.now(),
    });
    all.set(doc(db, "hiddenSharers", "ann_bob"), { userId: "ann", sharerId: "bob" });
    await all.commit();
  });
});

test.afterAll(() => rules?.cleanup());

const firestore = (context: RulesTestContext) => context.firestore() as unknown as Firestore;
const as = (uid: string, token = {}) => firestore(rules.authenticatedContext(uid, token));
const stranger = () => firestore(rules.unauthenticatedContext());

test("rules: nobody writes facts or what is derived, by any kind of write", async () => {
  for (const db of [
    as("ann"),
    as("bob"),
    as("bob", { admin: true }),
    as("bob", { moderator: true }),
    stranger(),
  ]) {
    const profile = doc(db, "users", "ann");
    const writes: (() => Promise<unknown>)[] = [
      () =>
        setDoc(doc(db, "tweets", "new"), {
          authorId: "bob",
          visibility: "public",
          isViolative: false,
        }),
      () => updateDoc(doc(db, "tweets", "flagged"), { isViolative: false }),
      () => deleteDoc(doc(db, "tweets", "open")),
      () => setDoc(profile, { isFrozen: false }, { merge: true }),
      () => updateDoc(profile, { followerCount: increment(1) }),
      () => updateDoc(profile, { tags: arrayUnion("x") }),
      () => setDoc(doc(db, "likes", "bob_open"), { userId: "bob", tweetId: "open" }),
      () =>
        setDoc(doc(db, "relationships", "bob_ann"), {
          followerId: "bob",
          followedId: "ann",
          createdAt: serverTimestamp(),
        }),
      () => updateDoc(doc(db, "products", product), { amountInStock: increment(100) }),
      () => updateDoc(doc(db, "users/ann/orders", "order"), { status: "confirmed" }),
      () => setDoc(doc(db, "heads", "ann"), { "entries.x": "bob" }, { merge: true }),
      () => deleteDoc(doc(db, "hiddenSharers", "ann_bob")),
      () => runTransaction(db, async (tx) => tx.update(profile, { followerCount: 7 })),
    ];
    for (const write of writes) await assertFails(write());
  }
});

test("rules: nobody writes a cart or what was read, not even one's own", async () => {
  const whole = {
    items: { [product]: 2 },
    seen: { [product]: { amount: 300, currency: "JPY" } },
    updatedAt: serverTimestamp(),
  };
  for (const db of [
    as("ann"),
    as("bob"),
    as("ann", { admin: true }),
    as("ann", { firebase: { sign_in_provider: "anonymous" } }),
    stranger(),
  ]) {
    const [read, cart] = [
      doc(db, "users/ann/notificationLists", "newest"),
      doc(db, "carts", "ann"),
    ];
    const both = writeBatch(db);
    both.update(read, { "notifications.like_open.isRead": true });
    both.set(cart, whole);
    const writes: (() => Promise<unknown>)[] = [
      () => updateDoc(read, { "notifications.like_open.isRead": true }),
      () => updateDoc(read, { "notifications.like_open.isRead": deleteField() }),
      () =>
        runTransaction(db, async (tx) =>
          tx.update(read, { "notifications.like_open.isRead": true }),
        ),
      () => setDoc(cart, whole),
      () => updateDoc(cart, { [`items.${product}`]: increment(1), updatedAt: serverTimestamp() }),
      () =>
        setDoc(doc(db, "carts", "new"), {
          items: {},
          updatedAt: serverTimestamp(),
          expireAt: Timestamp.fromMillis(Date.now() + 30 * 86_400_000),
        }),
      () => deleteDoc(cart),
      () => deleteDoc(read),
      () => both.commit(),
    ];
    for (const write of writes) await assertFails(write());
  }
});

test("rules: no query finds what its caller may not read", async () => {
  const everybody = (tweets: Query) =>
    query(
      tweets,
      where("visibility", "==", "public"),
      where("isViolative", "==", false),
      limit(100),
    );
  const bob = as("bob");
  const forbidden = (db: Firestore): Query[] => {
    const tweets = collection(db, "tweets");
    return [
      everybody(tweets),
      query(tweets, limit(10)),
      query(
        tweets,
        where("visibility", "in", ["public", "followers"]),
        where("isViolative", "==", false),
        limit(10),
      ),
      query(
        tweets,
        or(where("visibility", "==", "public"), where("visibility", "==", "followers")),
        limit(10),
      ),
      query(
        tweets,
        where("visibility", "!=", "mentioned"),
        where("isViolative", "==", false),
        limit(10),
      ),
      query(tweets, where("visibility", "==", "public"), limit(10)),
      query(tweets, where("visibility", "==", "public"), where("isViolative", "==", false)),
      query(
        tweets,
        where("visibility", "==", "public"),
        where("isViolative", "==", false),
        limit(101),
      ),
      query(
        tweets,
        where("visibility", "==", "public"),
        where("isViolative", "==", false),
        orderBy("createdAt"),
        limitToLast(101),
      ),
      query(collectionGroup(db, "notificationLists"), limit(10)),
      query(collectionGroup(db, "orders"), where("userId", "==", "ann"), limit(10)),
      query(collection(db, "heads"), orderBy("__name__"), startAt("ann"), endAt("ann"), limit(10)),
      query(collection(db, "likes"), where("userId", "==", "ann"), limit(10)),
      query(
        collection(db, "likes"),
        or(where("userId", "==", "ann"), where("userId", "==", "bob")),
        limit(10),
      ),
      query(collection(db, "users"), limit(10)),
      query(collection(db, "userSecrets"), limit(10)),
      query(collection(db, "hiddenSharers"), where("userId", "==", "bob"), limit(10)),
      query(collection(db, "users/ann/orders"), limit(10)),
      query(collection(db, "users/ann/notificationLists"), limit(10)),
      query(collection(db, "products"), limit(10)),
    ];
  };
  for (const db of [bob, stranger()]) {
    for (const asked of forbidden(db)) {
      await assertFails(getDocs(asked));
      await assertFails(getCountFromServer(asked));
    }
  }
  await assertFails(getDocs(query(collection(as("ann"), "users/ann/notificationLists"), limit(1))));
});

test("rules: a listener of what is not one's own is refused, also when it is not there", async () => {
  const listens = (ref: DocumentReference) =>
    new Promise<boolean>((done) => {
      // What the SDK has by itself, while the emulator takes long, is no answer.
      const stop = onSnapshot(
        ref,
        { includeMetadataChanges: true },
        (now) => now.metadata.fromCache || (stop(), done(true)),
        () => done(false),
      );
    });
  const own = [
    "reactions/ann_2026-11",
    "users/ann/notificationLists/newest",
    "carts/ann",
    "users/ann/orders/order",
  ];
  for (const path of own) {
    expect(await listens(doc(as("ann"), path)), path).toBe(true);
    for (const db of [
      as("bob"),
      as("an"),
      as("ann_2026-11"),
      as("ann%5F2026-11"),
      as("bob", { moderator: true }),
      as("bob", { admin: true }),
      stranger(),
    ])
      expect(await listens(doc(db, path)), path).toBe(false);
  }
  // A tweet that is narrowed while somebody listens is taken away.
  const seen: (boolean | string)[] = [];
  const stop = onSnapshot(
    doc(as("bob"), "tweets/open"),
    (now) => seen.push(now.exists()),
    (failure) => seen.push(failure.code),
  );
  await expect.poll(() => seen).toEqual([true]);
  await rules.withSecurityRulesDisabled((context) =>
    updateDoc(doc(firestore(context), "tweets/open"), { visibility: "mentioned" }),
  );
  await expect.poll(() => seen).toEqual([true, "permission-denied"]);
  stop();
});
