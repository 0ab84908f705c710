import { useQuery } from "@tanstack/react-query";
import { Suspense, useLayoutEffect, useRef, useState } from "react";
import { personPath, tweetPath, useAddress } from "../../lib/paths";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, type Schemas, type Tweet } from "../../lib/api";
import { late } from "../../lib/drawn";
import { Avatar } from "../../ui/Avatar";
import { useShadow } from "../../lib/shadow";
import { Top } from "../../ui/Top";
import { WaitingThread } from "../../ui/Skeletons";
import { Failed } from "../../ui/states";
import { Acts, Marks, Missing, TweetCard, TweetText } from "./TweetCard";
import { show } from "../../lib/overlays";
import { useMe } from "../../lib/session";
import { plain } from "../../lib/excerpts";
import { firstWords } from "../../lib/title";
import { draws, useListKeys } from "./shortcuts";
import { useLively } from "./lively";
import { readTweet, useSieve, useWanted } from "./tweets";
import { postKeys } from "./keys";

const InPlace = late(() => import("./InPlace"));
const FollowButton = late(() => import("../people/FollowButton"));

type Node = Schemas["ThreadNode"];

const read = (id: string, pageToken?: string) =>
  body(
    hibana.GET("/v1/tweets/{id}/thread", {
      params: { path: { id }, query: { pageToken, format: "html" } },
    }),
  );

/** A tweet with what it answers and what answers it. */
export default function Thread({ id }: { id: string }) {
  const { t } = useTranslation();
  const thread = useQuery({ queryKey: postKeys.thread(id), queryFn: () => read(id) });
  const whole = useQuery({ queryKey: postKeys.tweet(id), queryFn: () => readTweet(id) });
  const news = useLively(id, thread.data?.tweet, thread.dataUpdatedAt);
  const replies = useRef<HTMLElement>(null);
  const wanted = useSifted();
  const me = useMe();
  const tweet = whole.data ?? thread.data?.tweet.tweet;
  useAddress(tweet && !whole.isFetching ? tweetPath(tweet) : undefined);
  const above = useRef<HTMLDivElement>(null);
  const all = useRef<HTMLDivElement>(null);
  useListKeys(all);
  useStanding(above, id, (thread.data?.ancestors ?? []).length > 0);
  // What a reply answers comes above it: without that the reply would jump.
  if (thread.isPending && (whole.isPending || whole.data?.replyTo))
    return (
      <>
        <Top title={t("thread.title")} />
        <WaitingThread />
      </>
    );
  const failed = thread.error ?? whole.error;
  if (failed && !thread.data)
    return (
      <>
        <Top title={t("thread.title")} />
        <Failed failure={failed} again={() => (void thread.refetch(), void whole.refetch())} />
      </>
    );
  const ancestors = (thread.data?.ancestors ?? []).map(wanted);
  return (
    <div ref={all}>
      <Top title={t("thread.title")} called={tweet && calledAfter(tweet)} />
      <div ref={above}>
        {ancestors.map((above, n) => (
          <div key={above.id}>
            {above.tweet ? (
              <TweetCard tweet={above.tweet} fuse={n === 0 ? "begin" : "through"} />
            ) : (
              <Missing status={above.status} />
            )}
            {n === 0 && thread.data?.gap && (
              <Link className="openbranch" href={`/tweets/${thread.data.gap}`}>
                {t("thread.gap")}
              </Link>
            )}
          </div>
        ))}
      </div>
      <div className={ancestors.length > 0 ? "standing" : undefined}>
        {tweet ? (
          <Whole tweet={tweet} answers={ancestors.length > 0} />
        ) : (
          <Missing status={thread.data?.tweet.status ?? "unknown"} />
        )}
        {tweet && me && (
          <Suspense fallback={<div className="inplace" />}>
            <InPlace key={tweet.id} replyTo={tweet} />
          </Suspense>
        )}
        {thread.data && (
          <section aria-label={t("thread.replies")} ref={replies}>
            <div role="status" className="came">
              {news > 0 && (
                <button
                  className="openbranch"
                  onClick={() => void thread.refetch().then(() => toLast(replies.current))}
                >
                  {t("thread.new", { count: news })}
                </button>
              )}
            </div>
            <Replies node={thread.data.tweet} depth={0} />
            {thread.data.tweet.replies.length === 0 && <p className="end">{t("thread.none")}</p>}
          </section>
        )}
      </div>
    </div>
  );
}

// What a window is called that shows a tweet: never what stands behind a warning.
const calledAfter = ({ author, summary, html, snippetHtml, content, snippet }: Tweet) =>
  `${author.nickname}: ${firstWords(summary || plain(html ?? snippetHtml) || content || snippet)}`;

// The newest reply is the last of its page; where there is another page, that is on the way to it.
function toLast(replies: HTMLElement | null) {
  requestAnimationFrame(() => {
    const [last, more] = ["article[data-tweet]", ":scope > .openbranch"].map((kind) =>
      [...(replies?.querySelectorAll<HTMLElement>(kind) ?? [])].at(-1),
    );
    const to = more ?? last;
    if (to === last && last) last.tabIndex = -1;
    to?.focus({ preventScroll: true });
    to?.scrollIntoView({ block: "nearest" });
  });
}

// For so long, in milliseconds, what comes late above the tweet does not move it, such as a
// picture.
const settling = 10_000;

/**
 * Brings the tweet of the page below the bar, with the focus, if there is something above it; and
 * keeps it there until somebody scrolls.
 */
function useStanding(above: React.RefObject<HTMLDivElement | null>, id: string, below: boolean) {
  useLayoutEffect(() => {
    const upper = above.current;
    const tweet = upper?.parentElement?.querySelector<HTMLElement>(`.big[data-tweet="${id}"]`);
    if (!below || !upper || !tweet) return;
    const stand = () => tweet.scrollIntoView({ block: "start", behavior: "instant" });
    const hands = new AbortController();
    const look = new ResizeObserver(stand);
    const end = () => (look.disconnect(), hands.abort());
    stand();
    if (document.activeElement === document.body) tweet.focus({ preventScroll: true });
    look.observe(upper);
    for (const event of ["wheel", "touchmove", "pointerdown", "keydown"])
      addEventListener(event, end, { passive: true, signal: hands.signal });
    const due = setTimeout(end, settling);
    return () => (clearTimeout(due), end());
  }, [above, id, below]);
}

/** Returns what takes the tweet out of an item of the thread if the reader does not want to see it. */
function useSifted() {
  const sieve = useSieve();
  return <T extends { tweet?: Tweet; status: Node["status"] }>(item: T): T => {
    const tweet = item.tweet && sieve([item.tweet], postKeys.threads)[0];
    return tweet === item.tweet
      ? item
      : { ...item, tweet, status: tweet ? item.status : "unknown" };
  };
}

/** The tweet that the page is about, all of it. */
function Whole({ tweet: read, answers }: { tweet: Tweet; answers: boolean }) {
  const tweet = useShadow(read);
  return tweet ? <Big tweet={tweet} answers={answers} /> : <Missing status="gone" />;
}

function Big({ tweet: read, answers }: { tweet: Tweet; answers: boolean }) {
  const { t, i18n } = useTranslation();
  const me = useMe();
  const tweet = useWanted(read);
  return (
    <article
      className="big"
      tabIndex={-1}
      aria-label={t("tweet.by", { name: tweet.author.nickname })}
      data-tweet={tweet.id}
      ref={draws(tweet)}
    >
      {tweet.replyTo && !answers && (
        <Link className="muted" href={`/tweets/${tweet.replyTo}`}>
          {t("tweet.replyingTo")}
        </Link>
      )}
      <div className="person">
        <Link
          href={personPath({ ...tweet.author, id: tweet.authorId })}
          tabIndex={-1}
          aria-hidden="true"
        >
          <Avatar of={tweet.author} />
        </Link>
        <Link href={personPath({ ...tweet.author, id: tweet.authorId })} className="names">
          <strong dir="auto">{tweet.author.nickname}</strong>
          <span>@{tweet.author.username}</span>
        </Link>
        {me?.id !== tweet.authorId && (
          <Suspense
            fallback={
              <button className="button small main" disabled>
                {t("people.follow")}
              </button>
            }
          >
            <FollowButton user={{ id: tweet.authorId, nickname: tweet.author.nickname }} />
          </Suspense>
        )}
      </div>
      <div>
        <TweetText tweet={tweet} large />
      </div>
      <p className="muted" style={{ display: "flex", gap: "var(--space-2)", flexWrap: "wrap" }}>
        <time dateTime={tweet.createdAt}>
          {new Date(tweet.createdAt).toLocaleString(i18n.language, {
            dateStyle: "long",
            timeStyle: "short",
          })}
        </time>
        <Marks tweet={tweet} />
      </p>
      {(tweet.likeCount > 0 || tweet.shareCount > 0 || tweet.quoteCount > 0) && (
        <div className="tallies">
          {tweet.likeCount > 0 && (
            <button onClick={() => show({ kind: "people", of: "likes", tweet })}>
              <strong>{t("tweet.likes", { count: tweet.likeCount })}</strong>
            </button>
          )}
          {tweet.shareCount > 0 && (
            <button onClick={() => show({ kind: "people", of: "shares", tweet })}>
              <strong>{t("tweet.shares", { count: tweet.shareCount })}</strong>
            </button>
          )}
          {tweet.quoteCount > 0 && (
            <Link href={`/tweets/${tweet.id}/quotes`}>
              <strong>{t("tweet.quotes", { count: tweet.quoteCount })}</strong>
            </Link>
          )}
        </div>
      )}
      <Acts tweet={read} />
    </article>
  );
}

const none: Pick<Tweet, "id" | "folded"> = { id: "" };

/** A reply with those below it, behind a line if the author of the thread hides it. */
function Folded({ tweet, children }: { tweet: Tweet | undefined; children: React.ReactNode }) {
  const folded = useShadow<typeof none>(tweet ?? none)?.folded;
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      {folded && (
        <p className="warning muted">
          <span>{t("thread.folded")}</span>
          <button
            className="button small"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {t(opened ? "tweet.hideWarned" : "tweet.showWarned")}
          </button>
        </p>
      )}
      {(!folded || opened) && children}
    </>
  );
}

/** The replies to a tweet, and theirs; more of them on request. */
function Replies({ node, depth }: { node: Node; depth: number }) {
  const { t } = useTranslation();
  const [more, setMore] = useState<{
    replies: Node[];
    token: string;
    failure?: unknown;
    loading?: boolean;
  }>({ replies: [], token: node.nextPageToken });
  const wanted = useSifted();
  const seen = new Set(node.replies.map((reply) => reply.id));
  const load = async () => {
    setMore({ ...more, loading: true, failure: undefined });
    try {
      const { tweet } = await read(node.id, more.token);
      setMore({
        replies: [...more.replies, ...tweet.replies.filter((reply) => !seen.has(reply.id))],
        token: tweet.nextPageToken,
      });
    } catch (failure) {
      setMore({ ...more, failure, loading: false });
    }
  };
  // As in the answers of the API: a hidden reply keeps its place above others alone.
  const shown = (read: Node): Node[] => {
    const reply = wanted(read);
    const hidden =
      !reply.tweet && (read.tweet || (reply.status === "unknown" && !reply.nextPageToken));
    return hidden && reply.replies.flatMap(shown).length === 0 ? [] : [reply];
  };
  return (
    <>
      {[...node.replies, ...more.replies].flatMap(shown).map((reply) => (
        <div key={reply.id} className={depth > 0 ? "branch" : undefined}>
          <Folded tweet={reply.tweet}>
            {reply.tweet ? (
              <TweetCard tweet={reply.tweet} below />
            ) : (
              <Missing status={reply.status} />
            )}
            {depth < 6 ? (
              <Replies node={reply} depth={depth + 1} />
            ) : (
              (reply.replies.length > 0 || reply.nextPageToken) && (
                <Link
                  className="openbranch"
                  href={reply.tweet ? tweetPath(reply.tweet) : `/tweets/${reply.id}`}
                >
                  {t("thread.more")}
                </Link>
              )
            )}
          </Folded>
        </div>
      ))}
      {more.failure !== undefined && <Failed failure={more.failure} again={() => void load()} />}
      {more.token && more.failure === undefined && (
        <button className="openbranch" disabled={more.loading} onClick={() => void load()}>
          {t("thread.more")}
        </button>
      )}
    </>
  );
}
