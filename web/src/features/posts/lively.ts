import type { Counts } from "@hibana/client/listen";
import { useEffect, useRef, useState } from "react";
import type { Schemas, Tweet } from "../../lib/api";
import { followTweet } from "../../lib/live";
import { useLooks } from "../../lib/network";
import { useSession } from "../../lib/session";
import { useWishes } from "../../lib/wishes";
import { patch } from "../../lib/shadow";
import { answersSince } from "./tweets";

// So long, in milliseconds, a reply may wait for its event.
const uncounted = 5000;

/**
 * Lets the counts of the tweet of a page move by themselves, while somebody who is signed in looks
 * at it, and returns how many replies came that the page does not show.
 *
 * Cost: 1 read when the reader comes to the page or back to the window, and 1 for each change of a
 * count. The replies themselves are read when the reader asks for them.
 */
export function useLively(
  id: string,
  thread: Schemas["ThreadNode"] | undefined,
  readAt: number,
): number {
  const listens = useSession().state === "in";
  const looks = useLooks();
  const [counts, setCounts] = useState<Counts>();
  useEffect(
    () => (listens && looks ? followTweet(id, setCounts) : undefined),
    [id, listens, looks],
  );

  // What the reader wants is not in the counts yet, or already: they wait until that is known.
  const [likes, shares] = useWishes(`like ${id}`, `share ${id}`);
  const taken = useRef<Counts>(undefined);
  useEffect(() => {
    if (!counts || counts === taken.current || likes !== undefined || shares !== undefined) return;
    taken.current = counts;
    patch<Tweet>(id, "live", (tweet) => withCounts(tweet, counts));
  }, [id, counts, likes, shares]);

  // Of how many replies the page knows: an event counts a reply after it can be read.
  const known = useRef<{ readAt: number; count: number }>(undefined);
  if (thread && known.current?.readAt !== readAt) {
    const counted = thread.tweet?.replyCount ?? 0;
    const count = thread.nextPageToken
      ? counted + answersSince(id, readAt - uncounted)
      : Math.max(counted, thread.replies.filter((reply) => reply.tweet).length);
    known.current = { readAt, count };
  }
  if (!counts || !known.current) return 0;
  return Math.max(0, counts.replyCount - known.current.count);
}

/** Returns the tweet with counts as its document has them. */
function withCounts(tweet: Tweet, counts: Counts): Tweet {
  const now = {
    ...counts,
    // An event counts the reader's own like after the API has it.
    likeCount: Math.max(counts.likeCount, tweet.liked ? 1 : 0),
    shareCount: Math.max(counts.shareCount, tweet.shared ? 1 : 0),
  };
  const same = (Object.keys(now) as (keyof Counts)[]).every((name) => tweet[name] === now[name]);
  return same ? tweet : { ...tweet, ...now };
}
