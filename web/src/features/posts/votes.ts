import { body, hibana, queries, type Tweet } from "../../lib/api";
import { tell, unsure } from "../../lib/failures";
import { reader } from "../../lib/firebase";
import { patch } from "../../lib/shadow";
import { useWish, wish, wished } from "../../lib/wishes";
import { postKeys } from "./keys";
import { inAllTabs } from "../../lib/tabs";

type Poll = NonNullable<Tweet["poll"]>;

const voting = (id: string) => `vote ${id}`;

/** Returns the option, counted from 1, that the reader votes for just now. */
export const useVote = (id: string) => useWish<number>(voting(id));

const voted = inAllTabs("vote", ({ id, poll }: { id: string; poll: Poll }) =>
  patch<Tweet>(id, "vote", (t) => (t.poll ? { ...t, poll } : t)),
);

/** Votes in a poll, once: what is clicked before the API has the first vote is none. */
export async function vote(tweet: Tweet, option: number): Promise<void> {
  const { id } = tweet;
  if (wished<number>(voting(id)) !== undefined) return;
  const who = await reader();
  if (wished<number>(voting(id)) !== undefined) return;
  const done = await wish(voting(id), 0, option, {
    unsure,
    failed: tell,
    send: (option, sending) =>
      body(
        hibana.PUT("/v1/tweets/{id}/vote", {
          params: { path: { id } },
          body: { option },
          ...sending,
        }),
      ),
    settle: (option, poll) => {
      voted({ id, poll });
      count(id, option, poll.options[option - 1]?.votes ?? 0, who);
    },
  });
  if (!done) await queries.invalidateQueries({ queryKey: postKeys.poll(id) });
}

// count reads the tweet again until the option has more than so many votes: an event counts the
// vote, most often within a second.
function count(id: string, option: number, votes: number, who: string | undefined, wait = 1000) {
  setTimeout(async () => {
    if ((await reader()) !== who) return;
    await queries.invalidateQueries({ queryKey: postKeys.poll(id) });
    const now =
      queries.getQueryData<Tweet>(postKeys.poll(id))?.poll?.options[option - 1]?.votes ?? 0;
    if (now <= votes && wait < 10_000) count(id, option, votes, who, 2 * wait);
  }, wait);
}
