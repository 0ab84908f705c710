import { expect, test } from "vitest";
import type { Tweet } from "../src/lib/api";
import { shown } from "../src/features/home/shows";

const tweet = (more: Partial<Tweet>) =>
  ({ id: "a", authorId: "ben", snippet: "", tags: [], ...more }) as unknown as Tweet;
const by = (authorId: string) =>
  ({ id: "b", authorId }) as unknown as NonNullable<Tweet["inReplyTo"]>;
const shared = tweet({ sharedBy: { id: "cyd" } as NonNullable<Tweet["sharedBy"]> });
const reply = (to: string, authorId = "ben") =>
  tweet({ authorId, replyTo: "b", inReplyTo: by(to) });

test.each([
  ["a tweet", tweet({}), true, true, true],
  ["a share", shared, false, true, true],
  ["a reply to others", reply("cyd"), true, false, true],
  ["a reply to somebody unknown", tweet({ replyTo: "gone" }), true, false, true],
  ["a thread of its author's own", reply("ben"), true, true, true],
  ["a reply to the reader", reply("ann"), true, true, true],
  ["the reader's own reply", reply("cyd", "ann"), true, true, true],
] as const)("home shows or hides %s", (_, one, noShares, noReplies, all) => {
  expect(shown(one, { shares: false, replies: true }, "ann")).toBe(noShares);
  expect(shown(one, { shares: true, replies: false }, "ann")).toBe(noReplies);
  expect(shown(one, { shares: true, replies: true }, "ann")).toBe(all);
});
