import { beforeEach, expect, test, vi } from "vitest";
import type { Sending } from "../src/lib/wishes";

// Each test has its own queue, as each page has.
let { forgetWishes, fulfilled, mostWishes, wish, wished } = await import("../src/lib/wishes");
beforeEach(async () => {
  vi.resetModules();
  ({ forgetWishes, fulfilled, mostWishes, wish, wished } = await import("../src/lib/wishes"));
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

test("wishes may be of other values than on and off", async () => {
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  const settled: unknown[] = [];
  const doing = {
    send: (to: number) =>
      new Promise<string>((resolve) => (asked.push(to), answers.push(() => resolve(`has ${to}`)))),
    settle: (...has: unknown[]) => void settled.push(has),
    unsure: () => false,
    failed: () => undefined,
  };
  const done = wish("cart a", 1, 2, doing);
  for (const to of [3, 4, 5]) void wish("cart a", 1, to, doing);
  expect(wished<number>("cart a")).toBe(5);
  answers[0]!();
  await turn();
  answers[1]!();
  expect(await done).toBe(true);
  expect(asked).toEqual([2, 5]);
  expect(settled).toEqual([[5, "has 5"]]);
});

test("subjects of a lane are sent one after the other, and a refusal takes back one alone", async () => {
  const [one, two] = [api(), api()];
  const first = wish("cart a", false, true, { ...one.doing, lane: "cart" });
  const second = wish("cart b", false, true, { ...two.doing, lane: "cart" });
  void wish("like a", false, true, api().doing); // another lane does not wait
  await turn();
  expect([one.asked.length, two.asked.length]).toEqual([1, 0]);
  one.asked[0]!.refuse("full");
  await turn();
  expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
  expect([wished("cart a"), wished("cart b")]).toEqual([undefined, true]);
  two.asked[0]!.answer();
  expect(await Promise.all([first, second])).toEqual([false, true]);
  expect([one.told, two.told]).toEqual([["full"], []]);
});

test("what is taken back before its turn is not sent", async () => {
  const [one, two] = [api(), api()];
  void wish("cart a", false, true, { ...one.doing, lane: "cart" });
  const second = wish("cart b", false, true, { ...two.doing, lane: "cart" });
  void wish("cart b", false, false, { ...two.doing, lane: "cart" });
  one.asked[0]!.answer();
  expect(await second).toBe(true);
  expect(two.asked).toEqual([]);
  const third = api();
  void wish("cart c", false, true, { ...third.doing, lane: "cart" }); // the lane is free
  expect(third.asked.length).toBe(1);
});

test("there is a bound, beyond which a wish fails at once", async () => {
  const { doing, asked, told } = api();
  for (let n = 0; n < 150; n++) void wish(`like ${n}`, false, true, doing);
  await turn();
  expect(asked.length).toBe(mostWishes);
  expect(told.length).toBe(150 - mostWishes);
  expect(wished("like 149")).toBeUndefined();
  asked[0]!.answer();
  await turn();
  void wish("like 149", false, true, doing); // there is room again
  expect(wished("like 149")).toBe(true);
});

test("whoever leaves the page has the last wishes sent at once", async () => {
  const [one, two] = [api(), api()];
  const signals: AbortSignal[] = [];
  const watched = (of: ReturnType<typeof api>) => ({
    ...of.doing,
    lane: "cart",
    send: (on: boolean, { signal, keepalive }: Sending) => {
      expect(keepalive).toBe(true);
      signals.push(signal);
      return Promise.race([
        of.doing.send(on),
        new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(of.lost))),
      ]);
    },
  });
  void wish("cart a", false, true, watched(one));
  void wish("cart a", false, false, watched(one));
  void wish("cart b", false, true, watched(two));
  await turn();
  expect([one.asked.length, two.asked.length]).toEqual([1, 0]);
  dispatchEvent(new Event("pagehide"));
  await turn();
  expect(signals[0]!.aborted).toBe(true); // it could arrive after the next
  expect(one.asked.map(({ on }) => on)).toEqual([true, false]);
  expect(two.asked.map(({ on }) => on)).toEqual([true]);
  expect(signals.slice(1).some(({ aborted }) => aborted)).toBe(false); // they outlive the page
});

test("a reader who leaves takes the wishes along: nothing is sent for the next", async () => {
  const [one, two] = [api(), api()];
  const done = wish("cart a", false, true, { ...one.doing, lane: "cart" });
  void wish("cart a", false, false, { ...one.doing, lane: "cart" });
  const waits = wish("cart b", false, true, { ...two.doing, lane: "cart" });
  forgetWishes();
  expect(wished("cart a")).toBeUndefined();
  one.asked[0]!.answer();
  expect(await Promise.all([done, waits])).toEqual([false, false]);
  expect([one.asked.length, two.asked.length]).toEqual([1, 0]);
  expect([one.settled, one.told, two.told]).toEqual([[], [], []]);
  const next = api();
  void wish("cart a", false, true, { ...next.doing, lane: "cart" });
  expect(next.asked.length).toBe(1);
});

test("fulfilled waits for what is open, and for nothing else", async () => {
  const { doing, asked } = api();
  let done = false;
  void wish("cart a", false, true, doing);
  void wish("like a", false, true, api().doing);
  void fulfilled("cart ").then(() => (done = true));
  await turn();
  expect(done).toBe(false);
  asked[0]!.answer();
  await turn();
  expect(done).toBe(true);
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
