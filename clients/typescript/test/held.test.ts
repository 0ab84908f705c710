import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldReplyError, posted, type Tweet } from "../src/index.js";

test("a reply that waits is no tweet", () => {
  const notice = { held: true, id: "0123456789abcdef0123", createdAt: "", expiresAt: "" };
  assert.throws(
    () => posted(notice),
    (failure) => failure instanceof HeldReplyError && failure.notice === notice,
  );
  const tweet = { id: "0000000000000000aa" } as Tweet;
  assert.equal(posted(tweet), tweet);
});
