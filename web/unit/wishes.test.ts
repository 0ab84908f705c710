import { beforeEach, expect, test, vi } from "vitest";

// Each test has its own queue, as each page has.
let { wish, wished } = await import("../src/lib/wishes");
beforeEach(async () => {
  vi.resetModules();
  ({ wish, wished } = await import("../src/lib/wishes"));
});

// api is what the wishes are sent to: it answers when the test says so.
function api(was = false) {
  const asked: { on: boolean; answer: () => void; refuse: (why: unknown) => void }[] = [];
  const has = { on: was };
  const told: unknown[] = [];
  const settled: boolean[] = [];
  const lost = new TypeError("no network");
  return {
    asked,
    has,
    told,
    settled,
    lost,
    doing: {
      send: (on: boolean) =>
        new Promise<void>((resolve, reject) =>
          asked.push({ on, answer: () => ((has.on = on), resolve()), refuse: reject }),
        ),
      settle: (on: boolean) => void settled.push(on),
      unsure: (failure: unknown) => failure === lost,
      failed: (failure: unknown) => void told.push(failure),
    },
  };
}

const turn = () => new Promise((done) => setTimeout(done, 0));

test("a wish stands until the API has it", async () => {
  const { asked, doing, settled } = api();
  const done = wish("like a", false, true, doing);
  expect(wished("like a")).toBe(true);
  asked[0]!.answer();
  expect(await done).toBe(true);
  expect(wished("like a")).toBeUndefined();
  expect(settled).toEqual([true]);
});

test("a subject has one request at a time, and the last wish wins", async () => {
  const { asked, doing, has, settled } = api();
  const done = wish("like a", false, true, doing);
  for (const on of [false, true, false]) void wish("like a", false, on, doing);
  await turn();
  expect(asked.map(({ on }) => on)).toEqual([true]);
  asked[0]!.answer();
  await turn();
  expect(asked.map(({ on }) => on)).toEqual([true, false]);
  asked[1]!.answer();
  expect(await done).toBe(true);
  expect(has.on).toBe(false);
  expect(settled).toEqual([false]);
});

test("what the API has when the request ends is not asked for again", async () => {
  const { asked, doing } = api();
  const done = wish("like a", false, true, doing);
  void wish("like a", false, false, doing);
  void wish("like a", false, true, doing);
  asked[0]!.answer();
  expect(await done).toBe(true);
  expect(asked.length).toBe(1);
});

test("subjects do not wait for each other", async () => {
  const { asked, doing } = api();
  void wish("like a", false, true, doing);
  void wish("like b", false, true, doing);
  await turn();
  expect(asked.length).toBe(2);
});

test("a refusal takes the wish back, with its reason, once", async () => {
  const { asked, doing, told, settled } = api();
  const done = wish("like a", false, true, doing);
  asked[0]!.refuse("no");
  expect(await done).toBe(false);
  expect(wished("like a")).toBeUndefined();
  expect(told).toEqual(["no"]);
  expect(settled).toEqual([]);
});

test("after a lost answer the opposite wish is sent: the API may have the first", async () => {
  const { asked, doing, lost, has } = api();
  const done = wish("like a", false, true, doing);
  void wish("like a", false, false, doing);
  has.on = true; // it arrived, and its answer did not
  asked[0]!.refuse(lost);
  await turn();
  expect(asked.map(({ on }) => on)).toEqual([true, false]);
  asked[1]!.answer();
  expect(await done).toBe(true);
  expect(has.on).toBe(false);
});

// Random clicks and answers: whatever happens, the API ends with the last wish, or the reader is
// told.
test.each(Array.from({ length: 200 }, (_, n) => n + 1))("history %i", async (seed) => {
  let state = seed * 2654435761;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const { asked, doing, has, told } = api();
  let [wanted, answered] = [false, 0];
  const click = () => {
    const was = wished("like a") ?? has.on;
    wanted = !was;
    void wish("like a", has.on, wanted, doing);
  };
  const answer = async () => {
    if (answered === asked.length) return;
    expect(asked.length).toBe(answered + 1); // one at a time
    const one = asked[answered++]!;
    if (random(5) === 0) one.refuse("no");
    else one.answer();
    await turn();
  };
  for (let n = 0; n < 30; n++) {
    if (random(2)) click();
    else await answer();
  }
  while (answered < asked.length) await answer();
  expect(wished("like a")).toBeUndefined();
  if (told.length === 0) expect(has.on).toBe(wanted);
});
