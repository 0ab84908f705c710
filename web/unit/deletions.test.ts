import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Tweet } from "../src/lib/api";

// A page in which Ann is signed in. The API is what fetch is; the session begins, ends and is left when
// the test says so.

type Deletions = typeof import("../src/features/posts/deletions");

let page: Deletions;
let status: number; // what the API answers
const asked: string[] = [];
const session = {
  begin: [] as (() => void)[],
  end: [] as (() => void)[],
  leave: [] as (() => Promise<unknown>)[],
};

async function api(request: Request | string, init?: RequestInit): Promise<Response> {
  const url = typeof request === "string" ? request : request.url;
  const method = typeof request === "string" ? init?.method : request.method;
  if (method !== "DELETE") return new Response("{}");
  asked.push(url.slice(url.lastIndexOf("/") + 1));
  return status === 204
    ? new Response(null, { status })
    : new Response(JSON.stringify({ status, code: "any", detail: "" }), {
        status,
        headers: { "Content-Type": "application/json" },
      });
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", vi.fn(api));
  vi.resetModules();
  vi.doMock("../src/lib/firebase", () => ({
    reader: async () => "ann",
    bearer: async (fresh = false) => {
      if (fresh && status === 401)
        throw Object.assign(new Error("revoked"), { code: "auth/user-token-expired" });
      return "token";
    },
    appCheckToken: async () => undefined,
    ended: async () => undefined,
  }));
  vi.doMock("../src/lib/session", () => ({
    onBegin: (begin: () => void) => session.begin.push(begin),
    onEnd: (end: () => void) => session.end.push(end),
    onLeave: (leave: () => Promise<unknown>) => session.leave.push(leave),
  }));
  [session.begin, session.end, session.leave] = [[], [], []];
  asked.length = 0;
  status = 204;
  page = await import("../src/features/posts/deletions");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.doUnmock("../src/lib/session");
  vi.doUnmock("../src/lib/firebase");
  localStorage.clear();
});

const tweet = (id: string) => ({ id, authorId: "ann" }) as Tweet;
const notes = () =>
  JSON.parse(localStorage.getItem("hibana.deleting") ?? "{}") as Record<string, { due: number }>;
const note = (id: string, more: object = {}) =>
  localStorage.setItem(
    "hibana.deleting",
    JSON.stringify({ ...notes(), [id]: { uid: "ann", due: Date.now() + 10_000, ...more } }),
  );
const later = (ms = 100) => vi.advanceTimersByTimeAsync(ms);
/** Lets a page that is opened, or an account that is back, begin. */
const begin = async () => (session.begin.forEach((begin) => begin()), later());

test("a deletion is sent when it can be undone no more", async () => {
  page.remove(tweet("a"));
  await later(9_000);
  expect(asked).toEqual([]);
  await later(1_100);
  expect([asked, notes()]).toEqual([["a"], {}]);
});

test("where the session ends, a deletion that waits is sent at once", async () => {
  page.remove(tweet("a"));
  await later(1_000);
  session.end.forEach((end) => end());
  await later();
  expect([asked, notes()]).toEqual([["a"], {}]);
  await later(60_000);
  expect(asked).toEqual(["a"]);
});

test("with a session that is refused it is done when the account is back", async () => {
  page.remove(tweet("a"));
  await later(1_000);
  status = 401;
  session.end.forEach((end) => end());
  await later();
  expect(notes()["a"]?.due).toBe(0);
  status = 204;
  await begin();
  expect([asked.at(-1), notes()]).toEqual(["a", {}]);
});

test("a deletion that is due with a token that is refused waits for the account, too", async () => {
  status = 401;
  page.remove(tweet("a"));
  await later(20_000);
  expect(notes()["a"]?.due).toBe(0);
  await begin(); // still refused
  expect(notes()["a"]?.due).toBe(0);
  status = 204;
  await begin();
  expect(notes()).toEqual({});
});

test("a sign-out sends what waits in this tab and in others of the account, and in no other's", async () => {
  page.remove(tweet("a"));
  note("b");
  note("c", { uid: "ben" });
  await Promise.all([...session.leave.map((leave) => leave()), later()]);
  expect(asked.sort()).toEqual(["a", "b"]);
  expect(Object.keys(notes())).toEqual(["c"]);
});

test("what is gone already is done, and what is refused is not asked for again", async () => {
  note("a", { due: 0 });
  for (status of [404, 403]) {
    await begin();
    expect(notes()).toEqual({});
    note("a", { due: 0 });
  }
});

test("notes have a bound, and none is done months later", async () => {
  note("old", { uid: "ben", at: Date.now() - 31 * 24 * 60 * 60_000 });
  for (let n = 0; n < 150; n++) note(`n${n}`, { uid: "ben", due: 0, at: Date.now() });
  page.remove(tweet("a"));
  expect(Object.keys(notes())).toHaveLength(100);
  expect(Object.keys(notes()).at(-1)).toBe("a");
  expect(notes()["old"]).toBeUndefined();
});
