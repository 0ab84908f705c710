import { afterEach, beforeEach, expect, test, vi } from "vitest";

// The home timeline of a reader whom the API answers all at once, other than how far the reader had
// read: that comes when the test says so.

type First = typeof import("../src/features/home/first");

let home: First;
let asked: string[];
let answer: () => void;

const json = (body: unknown) =>
  new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } });

async function api(request: Request | string): Promise<Response> {
  const { pathname } = new URL(typeof request === "string" ? request : request.url, "http://any");
  asked.push(pathname);
  if (pathname !== "/v1/users/me/markers") return json({ items: [], nextPageToken: "" });
  await new Promise<void>((now) => (answer = now));
  return json({ home: { lastReadId: "one" } });
}

// settle lets everything happen that waits for no clock.
async function settle(): Promise<void> {
  for (let n = 0; n < 100; n++) await new Promise(setImmediate);
}

beforeEach(async () => {
  vi.stubGlobal("fetch", vi.fn(api));
  vi.resetModules();
  vi.doMock("../src/lib/firebase", () => ({
    reader: async () => "ann",
    bearer: async () => "token",
    appCheckToken: async () => undefined,
    ended: async () => undefined,
  }));
  asked = [];
  home = await import("../src/features/home/first");
  await home.top(); // its scripts are here
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.doUnmock("../src/lib/firebase");
});

test("the first tweets come with the way to where the reader was", async () => {
  let came = 0;
  void home.page(undefined).then(() => came++);
  await settle();
  expect(asked.sort()).toEqual(["/v1/announcements", "/v1/timeline", "/v1/users/me/markers"]);
  expect(came).toBe(0);
  answer();
  await settle();
  expect(came).toBe(1);
});

test("the first tweets do not wait long for what is above them, and later ones not at all", async () => {
  let came = 0;
  void home.page(undefined).then(() => came++);
  await settle();
  await vi.advanceTimersByTimeAsync(299);
  expect(came).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  await settle();
  expect(came).toBe(1);
  void home.page("further").then(() => came++);
  await settle();
  expect(came).toBe(2);
});
