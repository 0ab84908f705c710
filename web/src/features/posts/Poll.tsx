import { useIsFetching, useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { useLocation } from "wouter";
import { body, hibana, queries, type Tweet } from "../../lib/api";
import { tell } from "../../lib/failures";
import { reader } from "../../lib/firebase";
import { useMe, useSession } from "../../lib/session";
import { readPoll } from "./batch";

// count reads the tweet again until the option has more than so many votes: an event counts the
// vote, most often within a second.
function count(id: string, option: number, votes: number, who: string | undefined, wait = 1000) {
  setTimeout(async () => {
    if ((await reader()) !== who) return;
    await queries.invalidateQueries({ queryKey: ["poll", id] });
    const now = queries.getQueryData<Tweet>(["poll", id])?.poll?.options[option - 1]?.votes ?? 0;
    if (now <= votes && wait < 10_000) count(id, option, votes, who, 2 * wait);
  }, wait);
}

/**
 * A poll: options to choose from, and the result for those who may see it. A list has neither votes
 * nor choice, so they are read for all polls on the screen together, or with the tweet of a page.
 */
export default function Poll({ tweet }: { tweet: Tweet }) {
  const { t, i18n } = useTranslation();
  const { guest } = useSession();
  const me = useMe();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const alone = useIsFetching({ queryKey: ["tweet", tweet.id], exact: true }) > 0;
  const whole = useQuery({
    queryKey: ["poll", tweet.id],
    queryFn: () => readPoll(tweet),
    enabled: !alone,
    staleTime: tweet.poll?.closed ? Infinity : 5 * 60_000,
  });
  const poll = whole.data?.poll ?? tweet.poll;
  if (!poll) return null;
  const result = poll.options.some((option) => option.votes !== undefined);
  const total = poll.options.reduce((sum, option) => sum + (option.votes ?? 0), 0);
  const open = !poll.closed && poll.voted === undefined && me?.id !== tweet.authorId;
  const choose = async (option: number) => {
    if (guest) return go("/sign-up");
    setBusy(true);
    try {
      const after = await body(
        hibana.PUT("/v1/tweets/{id}/vote", {
          params: { path: { id: tweet.id } },
          body: { option },
        }),
      );
      queries.setQueryData<Tweet>(["poll", tweet.id], (t) => t && { ...t, poll: after });
      count(tweet.id, option, after.options[option - 1]?.votes ?? 0, await reader());
    } catch (failure) {
      tell(failure);
      await queries.invalidateQueries({ queryKey: ["poll", tweet.id] });
    }
    setBusy(false);
  };
  return (
    <div className="poll">
      <ul>
        {poll.options.map((option, n) => {
          const part = total > 0 ? (option.votes ?? 0) / total : 0;
          return (
            <li
              key={option.text}
              className="option"
              style={{ "--part": result ? part : 0 } as React.CSSProperties}
            >
              {open && whole.data ? (
                <button dir="auto" disabled={busy} onClick={() => void choose(n + 1)}>
                  {option.text}
                </button>
              ) : (
                <span dir="auto">
                  {option.text}
                  {poll.voted === n + 1 && <Check size={16} aria-label={t("poll.yours")} />}
                </span>
              )}
              {result && (
                <span>
                  {new Intl.NumberFormat(i18n.language, { style: "percent" }).format(part)}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p className="muted">
        {result && <>{t("poll.votes", { count: total })} · </>}
        {poll.closed
          ? t("poll.closed")
          : t("poll.until", {
              when: new Date(poll.closesAt).toLocaleString(i18n.language, {
                dateStyle: "medium",
                timeStyle: "short",
              }),
            })}
      </p>
    </div>
  );
}
