import { beforeEach, expect, test } from "vitest";
import type { Tweet } from "../src/lib/api";
import { sift } from "../src/features/posts/tweets";
import { bar, begin, hush } from "../src/features/quiet/sieve";

const tweet = (id: string, authorId: string, more: Partial<Tweet> = {}) =>
  ({ id, rootId: id, authorId, snippet: "fire and sparks", tags: [], ...more }) as unknown as Tweet;
const shown = (tweets: Tweet[], ...name: string[]) => sift(tweets, name).map(({ id }) => id);
const all = [tweet("a", "ann"), tweet("b", "ben"), tweet("m", "me")];

beforeEach(() => {
  begin(undefined, []);
  begin("me", []);
});

test("posts of a muted author leave lists, and stay on the author's own page", () => {
  hush("ann", { part: "all", until: null });
  expect(shown(all, "home")).toEqual(["b", "m"]);
  expect(shown(all, "authored", "ann")).toEqual(["a", "b", "m"]);
  hush("ann", undefined);
  expect(shown(all, "home")).toEqual(["a", "b", "m"]);
});

test("a mute ends at its time", () => {
  hush("ann", { part: "all", until: new Date(Date.now() + 60_000).toISOString() });
  expect(shown(all, "home")).toEqual(["b", "m"]);
  hush("ann", { part: "all", until: new Date(Date.now() - 1).toISOString() });
  expect(shown(all, "home")).toEqual(["a", "b", "m"]);
});

test("a muted share hides what the person shares, not what the person writes", () => {
  hush("ann", { part: "shares", until: null });
  const shared = tweet("s", "ben", { sharedBy: { id: "ann" } as never });
  expect(shown([shared, ...all], "home")).toEqual(["a", "b", "m"]);
});

test("posts of a blocked author leave every list, also the author's", () => {
  bar("ann", true);
  expect(shown(all, "home")).toEqual(["b", "m"]);
  expect(shown(all, "authored", "ann")).toEqual(["b", "m"]);
  bar("ann", false);
  expect(shown(all, "home")).toEqual(["a", "b", "m"]);
});

test("another reader begins with nothing hidden", () => {
  hush("ann", { part: "all", until: null });
  bar("ben", true);
  begin("you", []);
  expect(shown(all, "home")).toEqual(["a", "b", "m"]);
});
