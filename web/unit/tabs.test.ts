import { afterEach, expect, test, vi } from "vitest";

type Tabs = typeof import("../src/lib/tabs");
const open: Tabs[] = [];

// tab is another page of the same browser: it has its own modules.
async function tab(uid: string | undefined): Promise<Tabs> {
  vi.resetModules();
  const one = await import("../src/lib/tabs");
  one.tabOf(uid);
  open.push(one);
  return one;
}

afterEach(() => open.splice(0).forEach((one) => one.tabOf(undefined)));

// heardBy waits until a tab, of an account, has heard everything that was told before.
async function heardBy(one: Tabs, uid: string): Promise<void> {
  const other = new BroadcastChannel("hibana.tabs");
  await new Promise<void>((done) => {
    one.inAllTabs("end", () => done());
    other.postMessage({ form: 1, uid, name: "end" });
  });
  other.close();
}

test("what is done in one tab is done in the others of the account, once in each", async () => {
  const [a, b, c] = [await tab("ann"), await tab("ann"), await tab("ben")];
  const inA: unknown[] = [];
  const inB: unknown[] = [];
  const inC: unknown[] = [];
  const mark = a.inAllTabs("mark", (data: unknown) => void inA.push(data));
  b.inAllTabs("mark", (data: unknown) => void inB.push(data));
  c.inAllTabs("mark", (data: unknown) => void inC.push(data));
  mark({ id: "t", on: true });
  expect(inA).toEqual([{ id: "t", on: true }]); // at once
  for (const [one, uid] of [
    [a, "ann"],
    [b, "ann"],
    [c, "ben"],
  ] as const)
    await heardBy(one, uid);
  expect([inA.length, inB, inC]).toEqual([1, [{ id: "t", on: true }], []]);
});

test("a tab hears of nobody else: not after a sign-out, and not as a guest", async () => {
  const [a, b] = [await tab("ann"), await tab("ann")];
  const heard: unknown[] = [];
  const mark = a.inAllTabs<number>("mark", () => undefined);
  b.inAllTabs("mark", (data: unknown) => void heard.push(data));
  mark(1);
  await heardBy(b, "ann");
  b.tabOf("guest");
  mark(2);
  await heardBy(b, "guest");
  b.tabOf("ann");
  a.tabOf(undefined);
  mark(3);
  await heardBy(b, "ann");
  expect(heard).toEqual([1]);
});

test("a message has a bound, and what is no plain data is not sent", async () => {
  const [a, b] = [await tab("ann"), await tab("ann")];
  const heard: unknown[] = [];
  const mark = a.inAllTabs<unknown>("mark", () => undefined);
  b.inAllTabs("mark", (data: unknown) => void heard.push(data));
  mark("x".repeat(a.mostCharacters));
  const circle: Record<string, unknown> = {};
  circle["it"] = circle;
  mark(circle);
  mark({ how: () => undefined });
  mark("x".repeat(1000));
  await heardBy(b, "ann");
  expect(heard).toEqual(["x".repeat(1000)]);
});

test("a tab tells so much in a time, and goes on after it", async () => {
  const [a, b] = [await tab("ann"), await tab("ann")];
  const heard: unknown[] = [];
  const mark = a.inAllTabs<number>("mark", () => undefined);
  b.inAllTabs("mark", (data: unknown) => void heard.push(data));
  const now = vi.spyOn(Date, "now").mockReturnValue(1_000_000);
  for (let n = 0; n < 2 * a.mostMessages; n++) mark(n);
  now.mockReturnValue(1_000_000 + a.period);
  mark(-1);
  now.mockRestore();
  await heardBy(b, "ann");
  expect(heard.length).toBe(a.mostMessages + 1);
  expect(heard.at(-1)).toBe(-1);
});

test("messages of another version of the client, or without a meaning, are not heard", async () => {
  const b = await tab("ann");
  const heard: unknown[] = [];
  b.inAllTabs("mark", (data: unknown) => void heard.push(data));
  const other = new BroadcastChannel("hibana.tabs");
  for (const message of [
    undefined,
    "mark",
    { form: 0, uid: "ann", name: "mark", data: 1 },
    { form: 1, uid: "ann", name: "another", data: 2 },
    { form: 1, uid: "ann", name: "mark", data: 3 },
  ])
    other.postMessage(message);
  await heardBy(b, "ann");
  other.close();
  expect(heard).toEqual([3]);
});

test("a like that the API took in one tab stands beside what another tab read", async () => {
  const posts = async () => {
    vi.resetModules();
    const [tabs, { patch, shadowed }] = [
      await import("../src/lib/tabs"),
      await import("../src/lib/shadow"),
    ];
    tabs.tabOf("ann");
    open.push(tabs);
    interface Post {
      id: string;
      liked: boolean;
    }
    const like = tabs.inAllTabs("like", ({ id, on }: { id: string; on: boolean }) =>
      patch<Post>(id, "like", (post) => ({ ...post, liked: on })),
    );
    const read: Post = { id: "t", liked: false };
    return { tabs, like, shown: () => shadowed(read) };
  };
  const [a, b] = [await posts(), await posts()];
  a.like({ id: "t", on: true });
  await heardBy(b.tabs, "ann");
  expect([a.shown(), b.shown()]).toEqual([
    { id: "t", liked: true },
    { id: "t", liked: true },
  ]);
});
