import { beforeEach, expect, test } from "vitest";
import { queries, type User } from "../src/lib/api";
import { bringTies, tie } from "../src/features/people/ties";
import { began, forgetPatches, shadowed } from "../src/lib/shadow";

type Ties = Parameters<typeof tie>[1] & { id: string };

beforeEach(() => {
  forgetPatches();
  queries.clear();
});

const ben = { id: "ben", followedBy: false, requested: false, blocking: false };
const profile = (following: boolean, followerCount: number) =>
  ({ ...ben, following, followerCount, nickname: "Ben" }) as unknown as User;

// read begins a read of a query, which ends when the test says so.
function read(...name: string[]) {
  let end: (data: unknown) => void = () => undefined;
  const done = queries.fetchQuery({
    queryKey: name,
    retry: false,
    staleTime: 0,
    queryFn: () => new Promise((resolve) => (end = resolve)),
  });
  done.catch(() => undefined); // the next test clears all
  return { end: (data: unknown) => (end(structuredClone(data)), done) };
}

const shown = <T>(...name: string[]) =>
  shadowed(queries.getQueryData<T & { id: string }>(name)!) as T | null;

test("a read of a profile that began before a follow and ends after it does not take it back", async () => {
  await read("user", "ben").end(profile(false, 7));
  const slow = read("user", "ben");
  tie("ben", { following: true, requested: false });
  expect(shadowed(profile(false, 7))).toMatchObject({ following: true });
  await slow.end(profile(false, 7));
  expect(shown("user", "ben")).toMatchObject({ following: true, followerCount: 8 });
  await read("user", "ben").end(profile(false, 7)); // ended on another device
  expect(shown("user", "ben")).toMatchObject({ following: false, followerCount: 7 });
  const old = profile(false, 7);
  expect(shadowed(old)).toBe(old); // nothing is kept of what every copy has
});

test("nor does a profile bring ties that are older than those that were read", async () => {
  await read("ties", "ben").end({ ...ben, following: false });
  const at = began();
  tie("ben", { following: true });
  await read("ties", "ben").end({ ...ben, following: true });
  bringTies("ben", { following: false }, at);
  expect(shown("ties", "ben")).toMatchObject({ following: true });
});

test("ties that a profile brought are as old as its read", async () => {
  const at = began();
  tie("ben", { following: true });
  bringTies("ben", { following: false }, at);
  expect(shown("ties", "ben")).toMatchObject({ following: true });
  bringTies("ben", { following: false }, began());
  expect(shown("ties", "ben")).toMatchObject({ following: false });
});

test("a mute says nothing of a follow, and a block ends it for good", async () => {
  await read("ties", "ben").end({ ...ben, following: false });
  const muting = { part: "all", until: null, hideNotifications: true } as const;
  tie("ben", { following: true });
  await read("ties", "ben").end({ ...ben, following: false }); // ended on another device
  tie("ben", { muting });
  expect(shown("ties", "ben")).toMatchObject({ following: false, muting });
  tie("ben", { following: true });
  tie("ben", { blocking: true, following: false });
  tie("ben", { blocking: false });
  expect(shown("ties", "ben")).toMatchObject({ following: false, blocking: false, muting });
});

test("a person in a list, of whom nothing is said, stays the same object", async () => {
  await read("followers", "ann").end([{ id: "ben", nickname: "Ben" }]);
  tie("ben", { following: true });
  const [one] = queries.getQueryData<{ id: string }[]>(["followers", "ann"])!;
  expect(shadowed(one!)).toBe(one);
});

// Random histories of follows, blocks and mutes by this page and others, and of reads of the ties
// and of the profile, of which the profile brings ties. The model: each field shows what the last
// read said that began last, unless this page's last acknowledged change of it came after.
const fields = ["following", "blocking", "followedBy"] as const;
type Field = (typeof fields)[number];

test.each(Array.from({ length: 200 }, (_, n) => n + 1))("history %i", async (seed) => {
  let state = seed * 2654435761;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const server = { following: false, blocking: false, followedBy: true };
  const mine = new Map<Field, { is: boolean; at: number }>();
  const has = new Map<string, { saw: typeof server; at: number }>();
  const way = new Map<
    string,
    { saw: typeof server; at: number; moment: number; one: ReturnType<typeof read> }
  >();
  const names = { ties: ["ties", "ben"], profile: ["user", "ben"] };
  let clock = 0;
  for (let step = 0; step < 60; step++) {
    clock++;
    const name = (["ties", "profile"] as const)[random(2)]!;
    const under = way.get(name);
    const field = fields[random(3)]!;
    switch (random(6)) {
      case 0: {
        const change: Partial<Ties> = { [field]: !server[field] };
        if (field === "blocking" && change.blocking) Object.assign(change, { following: false });
        Object.assign(server, change);
        for (const [one, is] of Object.entries(change))
          mine.set(one as Field, { is: is as boolean, at: clock });
        tie("ben", change);
        break;
      }
      case 1:
        if (random(3) === 0) server[field] = !server[field]; // on another device
        break;
      case 2:
      case 3:
        if (!under)
          way.set(name, {
            at: clock,
            saw: { ...server },
            one: read(...names[name]),
            moment: began(),
          });
        else if (random(2)) under.saw = { ...server }; // the server read it later
        break;
      default: {
        if (!under) break;
        way.delete(name);
        const { saw, at, moment } = under;
        if (name === "profile") {
          const there = has.get("ties");
          bringTies("ben", saw, moment);
          if (!there || there.at <= at) has.set("ties", { saw, at });
        }
        await under.one.end({
          ...ben,
          ...saw,
          ...(name === "profile" ? { followerCount: 5 } : {}),
        });
        has.set(name, { saw, at });
      }
    }
    for (const [where, { saw, at }] of has)
      for (const one of fields) {
        const last = mine.get(one);
        const wanted = last && at < last.at ? last.is : saw[one];
        expect(
          shown<Ties>(...names[where as keyof typeof names])?.[one],
          `seed ${seed}, step ${step}, ${where}, ${one}`,
        ).toBe(wanted);
      }
  }
});
