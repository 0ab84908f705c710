import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { assertFails, assertSucceeds, initializeTestEnvironment, type RulesTestContext, type RulesTestEnvironment } from "@firebase/rules-unit-testing";
import {
  arrayUnion, collection, collectionGroup, deleteDoc, deleteField, doc, endAt, GeoPoint, getCountFromServer, getDoc, getDocs, increment, limit, limitToLast, onSnapshot,
  or, orderBy, query, runTransaction, serverTimestamp, setDoc, setLogLevel, startAt, Timestamp, updateDoc, where, writeBatch, type DocumentReference, type Firestore, type Query,
} from "firebase/firestore";

// What a client of the JavaScript SDK tries that no line of internal/tests/rules/testdata/access.txt can say:
// transforms, batches, transactions, listeners, cursors and disjunctions. No browser is needed.

const product = "0123456789abcdef0123";
let rules: RulesTestEnvironment;

test.beforeAll(async () => {
  setLogLevel("silent"); // it tells of each refusal
  const { hostname, port } = new URL(process.env.HIBANA_FIRESTORE!);
  rules = await initializeTestEnvironment({
    projectId: `demo-rules-of-web-${test.info().workerIndex}`,
    firestore: { host: hostname, port: Number(port), rules: readFileSync(new URL("../../firestore.rules", import.meta.url), "utf8") },
  });
});

test.beforeEach(async () => {
  await rules.clearFirestore();
  await rules.withSecurityRulesDisabled(async (context) => {
    const db = firestore(context);
    const all = writeBatch(db);
    const tweet = (id: string, more = {}) => all.set(doc(db, "tweets", id), { authorId: "ann", visibility: "public", isViolative: false, createdAt: Timestamp.now(), ...more });
    tweet("open");
    tweet("closed", { visibility: "followers" });
    tweet("flagged", { isViolative: true });
    all.set(doc(db, "users", "ann"), { username: "ann", followerCount: 0, isFrozen: false });
    all.set(doc(db, "userSecrets", "ann"), { email: "ann@example.com" });
    all.set(doc(db, "users/ann/notifications", "like_open"), { userId: "ann", isRead: false, count: 3 });
    all.set(doc(db, "users/ann/orders", "order"), { userId: "ann", status: "pending", total: 300 });
    all.set(doc(db, "timelines", "ann_2026-11"), { userId: "ann", entries: {} });
    all.set(doc(db, "likes", "ann_open"), { userId: "ann", tweetId: "open" });
    all.set(doc(db, "products", product), { name: "Senko", price: { amount: 300, currency: "JPY" }, amountInStock: 5, active: true });
    all.set(doc(db, "carts", "ann"), { items: {}, seen: { [product]: { amount: 300, currency: "JPY" } }, updatedAt: Timestamp.now() });
    all.set(doc(db, "hiddenSharers", "ann_bob"), { userId: "ann", sharerId: "bob" });
    await all.commit();
  });
});

test.afterAll(() => rules?.cleanup());

const firestore = (context: RulesTestContext) => context.firestore() as unknown as Firestore;
const as = (uid: string, token = {}) => firestore(rules.authenticatedContext(uid, token));
const stranger = () => firestore(rules.unauthenticatedContext());

test("rules: nobody writes facts or what is derived, by any kind of write", async () => {
  for (const db of [as("ann"), as("bob"), as("bob", { admin: true }), as("bob", { moderator: true }), stranger()]) {
    const profile = doc(db, "users", "ann");
    const writes: (() => Promise<unknown>)[] = [
      () => setDoc(doc(db, "tweets", "new"), { authorId: "bob", visibility: "public", isViolative: false }),
      () => updateDoc(doc(db, "tweets", "flagged"), { isViolative: false }),
      () => deleteDoc(doc(db, "tweets", "open")),
      () => setDoc(profile, { isFrozen: false }, { merge: true }),
      () => updateDoc(profile, { followerCount: increment(1) }),
      () => updateDoc(profile, { tags: arrayUnion("x") }),
      () => setDoc(doc(db, "likes", "bob_open"), { userId: "bob", tweetId: "open" }),
      () => setDoc(doc(db, "relationships", "bob_ann"), { followerId: "bob", followedId: "ann", createdAt: serverTimestamp() }),
      () => updateDoc(doc(db, "products", product), { amountInStock: increment(100) }),
      () => updateDoc(doc(db, "users/ann/orders", "order"), { status: "confirmed" }),
      () => setDoc(doc(db, "timelines", "ann_2026-11"), { "entries.x": "bob" }, { merge: true }),
      () => deleteDoc(doc(db, "hiddenSharers", "ann_bob")),
      () => runTransaction(db, async (tx) => tx.update(profile, { followerCount: 7 })),
    ];
    for (const write of writes) await assertFails(write());
  }
});

test("rules: a batch with one forbidden write writes nothing", async () => {
  const db = as("ann");
  const read = doc(db, "users/ann/notifications", "like_open");
  const both = writeBatch(db);
  both.update(read, { isRead: true });
  both.update(doc(db, "users", "ann"), { followerCount: increment(1) });
  await assertFails(both.commit());
  expect((await getDoc(read)).get("isRead")).toBe(false);
  await assertSucceeds(runTransaction(db, async (tx) => {
    expect((await tx.get(read)).get("isRead")).toBe(false);
    tx.update(read, { isRead: true });
  }));
  for (const more of [{ isRead: true, count: 0 }, { isRead: "yes" }, { isRead: deleteField() }, { isRead: increment(1) }, { "isRead.x": true }]) await assertFails(updateDoc(read, more));
  await assertFails(deleteDoc(read));
  await assertFails(updateDoc(doc(as("bob"), read.path), { isRead: false }));
});

test("rules: a cart takes quantities of its owner, and no other value of any type", async () => {
  const cart = (db: Firestore) => doc(db, "carts", "ann");
  const ann = as("ann");
  const whole = (more = {}) => ({ items: { [product]: 2 }, seen: { [product]: { amount: 300, currency: "JPY" } }, updatedAt: serverTimestamp(), ...more });
  await assertSucceeds(setDoc(cart(ann), whole()));
  await assertSucceeds(updateDoc(cart(ann), { [`items.${product}`]: increment(97), updatedAt: serverTimestamp() }));
  await assertFails(updateDoc(cart(ann), { [`items.${product}`]: increment(1), updatedAt: serverTimestamp() })); // 100
  await assertSucceeds(updateDoc(cart(ann), { [`items.${product}`]: deleteField(), updatedAt: serverTimestamp() }));
  for (const quantity of [0, -1, 1.5, NaN, Infinity, "2", true, null, [2], { n: 2 }, Timestamp.now(), new GeoPoint(1, 1), serverTimestamp(), arrayUnion(2)]) {
    await assertFails(setDoc(cart(ann), whole({ items: { [product]: quantity } })));
  }
  for (const wrong of [{ items: [product] }, { items: { [product + ",x"]: 1 } }, { items: { "../x": 1 } }, { updatedAt: "now" }, { price: 1 }, { seen: {} },
    { seen: { [product]: { amount: 1, currency: "JPY" } } }, { expireAt: Timestamp.fromMillis(Date.now() + 30 * 86_400_000) }]) {
    await assertFails(setDoc(cart(ann), whole(wrong)));
  }
  await assertFails(updateDoc(cart(ann), { [`seen.${product}.amount`]: increment(-299) }));
  await assertFails(deleteDoc(cart(ann)));
  for (const db of [as("bob"), as("bob", { admin: true }), as("ann", { frozen: true }), stranger()]) await assertFails(setDoc(cart(db), whole()));
  // A guest's cart expires, whatever the guest writes.
  const guest = as("guest", { firebase: { sign_in_provider: "anonymous" } });
  const ofGuest = { items: { [product]: 1 }, updatedAt: serverTimestamp() };
  await assertFails(setDoc(doc(guest, "carts", "guest"), ofGuest));
  await assertSucceeds(setDoc(doc(guest, "carts", "guest"), { ...ofGuest, expireAt: Timestamp.fromMillis(Date.now() + 30 * 86_400_000) }));
});

test("rules: no query finds what its caller may not read", async () => {
  const everybody = (tweets: Query) => query(tweets, where("visibility", "==", "public"), where("isViolative", "==", false), limit(100));
  const bob = as("bob");
  const tweets = collection(bob, "tweets");
  expect((await assertSucceeds(getDocs(everybody(tweets)))).docs.map((tweet) => tweet.id)).toEqual(["open"]);
  expect((await assertSucceeds(getCountFromServer(everybody(tweets)))).data().count).toBe(1);
  const forbidden = (db: Firestore): Query[] => {
    const tweets = collection(db, "tweets");
    return [
      query(tweets, limit(10)),
      query(tweets, where("visibility", "in", ["public", "followers"]), where("isViolative", "==", false), limit(10)),
      query(tweets, or(where("visibility", "==", "public"), where("visibility", "==", "followers")), limit(10)),
      query(tweets, where("visibility", "!=", "mentioned"), where("isViolative", "==", false), limit(10)),
      query(tweets, where("visibility", "==", "public"), limit(10)),
      query(tweets, where("visibility", "==", "public"), where("isViolative", "==", false)),
      query(tweets, where("visibility", "==", "public"), where("isViolative", "==", false), limit(101)),
      query(tweets, where("visibility", "==", "public"), where("isViolative", "==", false), orderBy("createdAt"), limitToLast(101)),
      query(collectionGroup(db, "notifications"), limit(10)),
      query(collectionGroup(db, "orders"), where("userId", "==", "ann"), limit(10)),
      query(collection(db, "timelines"), orderBy("__name__"), startAt("ann_2026-11"), endAt("ann_2026-12"), limit(10)),
      query(collection(db, "likes"), where("userId", "==", "ann"), limit(10)),
      query(collection(db, "likes"), or(where("userId", "==", "ann"), where("userId", "==", "bob")), limit(10)),
      query(collection(db, "users"), limit(10)),
      query(collection(db, "userSecrets"), limit(10)),
      query(collection(db, "hiddenSharers"), where("userId", "==", "bob"), limit(10)),
      query(collection(db, "users/ann/orders"), limit(10)),
    ];
  };
  for (const db of [bob, stranger()]) {
    for (const asked of forbidden(db)) {
      await assertFails(getDocs(asked));
      await assertFails(getCountFromServer(asked));
    }
  }
  await assertFails(getDocs(everybody(collection(stranger(), "tweets")))); // lists are for accounts
});

test("rules: a listener of what is not one's own is refused, also when it is not there", async () => {
  const listens = (ref: DocumentReference) => new Promise<boolean>((done) => {
    // What the SDK has by itself, while the emulator takes long, is no answer.
    const stop = onSnapshot(ref, { includeMetadataChanges: true }, (now) => now.metadata.fromCache || (stop(), done(true)), () => done(false));
  });
  const own = ["timelines/ann_2026-11", "timelines/ann_2026-12", "reactions/ann_2026-11", "users/ann/notifications/like_open", "carts/ann"];
  for (const path of own) {
    expect(await listens(doc(as("ann"), path)), path).toBe(true);
    for (const db of [as("bob"), as("an"), as("ann_2026-11"), as("ann%5F2026-11"), as("bob", { moderator: true }), stranger()]) expect(await listens(doc(db, path)), path).toBe(false);
  }
  // A tweet that is narrowed while somebody listens is taken away.
  const seen: (boolean | string)[] = [];
  const stop = onSnapshot(doc(as("bob"), "tweets/open"), (now) => seen.push(now.exists()), (failure) => seen.push(failure.code));
  await expect.poll(() => seen).toEqual([true]);
  await rules.withSecurityRulesDisabled((context) => updateDoc(doc(firestore(context), "tweets/open"), { visibility: "mentioned" }));
  await expect.poll(() => seen).toEqual([true, "permission-denied"]);
  stop();
});
