import { useIsFetching, useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import { useLocation } from "wouter";
import type { Tweet } from "../../lib/api";
import { useMe, useSession } from "../../lib/session";
import { useShadow } from "../../lib/shadow";
import { readPoll } from "./batch";
import { useVote, vote } from "./votes";
import { postKeys } from "./keys";

/**
 * A poll: options to choose from, and the result for those who may see it. A list has neither votes
 * nor choice, so they are read for all polls on the screen together, or with the tweet of a page.
 */
export default function Poll({ tweet }: { tweet: Tweet }) {
  const { t, i18n } = useTranslation();
  const { guest } = useSession();
  const me = useMe();
  const [, go] = useLocation();
  const chosen = useVote(tweet.id);
  const alone = useIsFetching({ queryKey: postKeys.tweet(tweet.id), exact: true }) > 0;
  const whole = useQuery({
    queryKey: postKeys.poll(tweet.id),
    queryFn: () => readPoll(tweet),
    enabled: !alone,
    staleTime: tweet.poll?.closed ? Infinity : 5 * 60_000,
  });
  const poll = useShadow(whole.data)?.poll ?? tweet.poll;
  if (!poll) return null;
  const result = poll.options.some((option) => option.votes !== undefined);
  const total = poll.options.reduce((sum, option) => sum + (option.votes ?? 0), 0);
  const open = !poll.closed && poll.voted === undefined && me?.id !== tweet.authorId;
  const choose = async (option: number) => {
    if (guest) return go("/sign-up");
    await vote(tweet, option);
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
                <button
                  dir="auto"
                  disabled={chosen !== undefined}
                  onClick={() => void choose(n + 1)}
                >
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
