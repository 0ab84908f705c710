import { afterEach, beforeEach, expect, test, vi } from "vitest";

// A browser without IndexedDB, as in some private windows, in which somebody is signed in: the page
// itself has what waits. The API is what fetch is: it takes a message once by its Idempotency-Key.

type Outbox = typeof import("../src/features/messages/outbox");
type Outcome = "taken" | "lost" | "refused" | "held";

let outbox: Outbox;
let stop: () => void;
let outcomes: Outcome[];
let now: number; // requests under way
let most: number;
const asked: string[] = [];
const has = new Map<string, string>(); // texts by key, in the order in which they came

const answer = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json" },
  });

async function api(request: Request | string): Promise<Response> {
  if (typeof request === "string" || !request.url.includes("/v1/conversations"))
    return answer(200, {});
  const key = request.headers.get("Idempotency-Key")!;
  const { text } = (await request.json()) as { text: string };
  const outcome = outcomes.shift() ?? "taken";
  asked.push(key);
  most = Math.max(most, ++now);
  try {
    if (outcome === "held")
      await new Promise((_, reject) =>
        request.signal.addEventListener("abort", () => reject(new Error("aborted"))),
      );
    if (outcome === "refused")
      return answer(403, { code: "not_a_member", status: 403, detail: "" });
    if (!has.has(key)) has.set(key, text);
    if (outcome === "lost") return answer(500, { code: "internal", status: 500, detail: "" });
    const id = `202611-0000-${String(has.size).padStart(9, "0")}`;
    return answer(201, { id, text, authorId: "ann", createdAt: "", reactions: [] });
  } finally {
    now--;
  }
}

const noDatabase = {
  open: () => {
    const request = { error: { name: "AbortError" }, onerror: () => undefined };
    queueMicrotask(() => request.onerror());
    return request;
  },
};

// One page needs no lock.
Object.defineProperty(navigator, "locks", {
  value: { request: (_: string, what: () => Promise<void>) => what() },
});

beforeEach(async () => {
  vi.stubGlobal("fetch", vi.fn(api));
  vi.stubGlobal("indexedDB", noDatabase);
  localStorage.setItem(
    "firebase:authUser:key:[DEFAULT]",
    JSON.stringify({
      uid: "ann",
      isAnonymous: false,
      stsTokenManager: {
        accessToken: "token",
        refreshToken: "refresh",
        expirationTime: Date.now() + 3_600_000,
      },
    }),
  );
  [outcomes, now, most] = [[], 0, 0];
  asked.length = 0;
  has.clear();
  vi.resetModules();
  outbox = await import("../src/features/messages/outbox");
  stop = outbox.begin("ann");
  await outbox.drain();
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const add = (key: string) => outbox.add({ conversationId: "c", text: `text of ${key}` }, key);
const keys = () => outbox.waiting().map(({ key }) => key);

test("messages are sent in their order, one at a time, each once", async () => {
  for (const key of ["a", "b", "c", "b"]) void add(key);
  await outbox.drain();
  expect(asked).toEqual(["a", "b", "c"]);
  expect(most).toBe(1);
  expect([...has]).toEqual(["a", "b", "c"].map((key) => [key, `text of ${key}`]));
  expect(keys()).toEqual([]);
});

test("after a lost answer a message waits, and is sent again under its key", async () => {
  outcomes = ["lost"];
  void add("a");
  void add("b");
  await outbox.drain();
  await outbox.drain();
  expect(asked[0]).toBe("a");
  expect([...has.keys()]).toEqual(["a", "b"]);
  expect(keys()).toEqual([]);
});

test("a refused message stays with its reason, and does not hold up the next", async () => {
  outcomes = ["refused"];
  void add("a");
  void add("b");
  await outbox.drain();
  expect([...has.keys()]).toEqual(["b"]);
  expect(keys()).toEqual(["a"]);
  expect(outbox.failureOf(outbox.waiting()[0]!)).toMatchObject({ status: 403 });
  await outbox.drain();
  expect(asked).toEqual(["a", "b"]); // not by itself
  await outbox.retry("a");
  await outbox.drain();
  expect([...has.keys()]).toEqual(["b", "a"]);
  expect(keys()).toEqual([]);
});

test("what is discarded is not sent, and of a conversation that was left nothing", async () => {
  outcomes = ["refused", "refused"];
  void add("a");
  void add("b");
  await outbox.drain();
  await outbox.discard("a");
  expect(keys()).toEqual(["b"]);
  await outbox.discardAll("c");
  await outbox.drain();
  expect(keys()).toEqual([]);
  expect(has.size).toBe(0);
});

test("a reader who leaves ends what is being sent, and the next page has nothing of it", async () => {
  outcomes = ["held"];
  void add("a");
  void add("b");
  await vi.waitFor(() => expect(asked).toEqual(["a"]));
  stop();
  await outbox.drain();
  expect(asked).toEqual(["a"]);
  expect(has.size).toBe(0);
  expect(keys()).toEqual([]);
});

test("two parts of a page begin, and the last one ends it", async () => {
  const other = outbox.begin("ann");
  stop();
  await add("a");
  await outbox.drain();
  expect([...has.keys()]).toEqual(["a"]);
  outcomes = ["held"];
  void add("b");
  await vi.waitFor(() => expect(asked).toEqual(["a", "b"]));
  other();
  await outbox.drain();
  expect(keys()).toEqual([]);
  stop = outbox.begin("ann"); // for what ends each test
});

test("there is a bound", async () => {
  outcomes = ["held"];
  for (let n = 0; n < outbox.mostWaiting + 5; n++) void add(`${n}`);
  await vi.waitFor(() => expect(asked.length).toBe(1));
  expect(outbox.waiting().length).toBe(outbox.mostWaiting);
  expect(outbox.hasRoom()).toBe(false);
});

// Random histories: whatever the answers are, the API has each message that was neither refused nor
// discarded once, in the order in which they were added.
test.each(Array.from({ length: 30 }, (_, n) => n + 1))("history %i", async (seed) => {
  let state = seed * 2654435761;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const added: string[] = [];
  for (let step = 0; step < 20; step++) {
    outcomes.push((["taken", "taken", "lost", "refused"] as const)[random(4)]!);
    if (random(3)) {
      const key = random(5) ? `${step}` : (added.at(-1) ?? `${step}`); // clicked twice
      if (!added.includes(key) || keys().includes(key)) {
        if (!added.includes(key)) added.push(key);
        void add(key);
      }
    } else await outbox.drain();
  }
  outcomes = [];
  await outbox.drain();
  await outbox.drain();
  expect(most).toBe(1);
  const refused = keys();
  expect(outbox.waiting().every((one) => one.failure)).toBe(true);
  expect(
    [...has.keys()].filter((key) => !refused.includes(key)),
    `seed ${seed}`,
  ).toEqual(added.filter((key) => !refused.includes(key)));
});
