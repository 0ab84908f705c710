import { beforeEach, expect, test, vi } from "vitest";
import { HibanaError } from "../src/lib/api";
import { choose } from "../src/lib/choices";
import { forgetPatches, shadowed } from "../src/lib/shadow";
import { wishesOf } from "../src/lib/wishes";

interface Settings {
  id: string;
  like: boolean;
  share: boolean;
}

// What draws a message would come after the test.
const failed = vi.hoisted(() => vi.fn());
vi.mock("../src/lib/toast", () => ({ toast: { error: failed } }));

beforeEach(forgetPatches);

// api takes changes when the test says so, one answer for each request.
function api() {
  const asked: { change: Partial<Settings>; answer: () => void; refuse: () => void }[] = [];
  const send = (change: Partial<Settings>) =>
    new Promise<void>((resolve, reject) =>
      asked.push({
        change,
        answer: resolve,
        refuse: () => reject(new HibanaError(400, "unreadable", "no", undefined)),
      }),
    );
  return { asked, send };
}

test("each field is a wish of its own: a refusal of one leaves the other", async () => {
  const { asked, send } = api();
  const settings: Settings = { id: "s", like: true, share: true };
  const [like, share] = [
    choose(settings, "like", false, { send }),
    choose(settings, "share", false, { send }),
  ];
  expect(wishesOf("s ")).toEqual([
    ["like", false],
    ["share", false],
  ]);
  expect(asked.map(({ change }) => change)).toEqual([{ like: false }, { share: false }]);
  asked[1]!.answer();
  await share;
  asked[0]!.refuse();
  expect(await like).toBe(false);
  expect(failed).toHaveBeenCalledOnce(); // the reader is told
  expect(wishesOf("s ")).toEqual([]);
  expect(shadowed(settings)).toEqual({ id: "s", like: true, share: false });
});

test("switched on and off quickly, a field ends as it was wished last", async () => {
  const { asked, send } = api();
  let saved = 0;
  const settings: Settings = { id: "s", like: true, share: true };
  const choosing = { send, saved: () => void saved++ };
  const done = choose(settings, "like", false, choosing);
  void choose({ ...settings, like: false }, "like", true, choosing);
  asked[0]!.answer();
  await Promise.resolve();
  await Promise.resolve();
  expect(asked.map(({ change }) => change.like)).toEqual([false, true]);
  asked[1]!.answer();
  expect(await done).toBe(true);
  expect(shadowed(settings)?.like).toBe(true);
  expect(saved).toBe(1);
});
