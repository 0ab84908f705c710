import { Bookmark, Ellipsis, MessageCircle, Pin, Quote, Repeat2, Users } from "lucide-react";
import { lazy, memo, Suspense, useState } from "react";
import { personPath, tweetPath } from "../../lib/paths";
import { useTranslation } from "../../lib/speech";
import { Link, useLocation } from "wouter";
import type { Tweet } from "../../lib/api";
import { show } from "../../lib/overlays";
import { useMe, useSession } from "../../lib/session";
import { useShadow } from "../../lib/shadow";
import { Count, When } from "../../lib/time";
import { draws } from "./shortcuts";
import { useOffPage } from "./deletions";
import { react, useWanted } from "./tweets";
import { Original } from "../../ui/Original";
import { Avatar } from "../../ui/Avatar";
import { Prose } from "../../ui/Prose";
import { Shown } from "../media/Shown";
import { Spark } from "../../ui/Spark";

const Filtered = lazy(() => import("../quiet/Filtered"));
const LinkCard = lazy(() => import("./LinkCard"));
const Poll = lazy(() => import("./Poll"));
const Quoted = lazy(() => import("./Quoted"));
const TweetMenu = lazy(() => import("./TweetMenu"));

interface Props {
  tweet: Tweet;
  /** Part of a thread's line: it begins here, goes on, or ends here. */
  fuse?: "begin" | "through" | "end" | undefined;
  /** The page shows what the tweet answers, so the tweet does not say that it is an answer. */
  below?: boolean;
}

/** A tweet in a list, folded if a filter of the reader says so. */
export const TweetCard = memo(function TweetCard(read: Props) {
  const tweet = useShadow(read.tweet);
  const { fuse, below } = read;
  if (!tweet) return fuse || below ? <Missing status="gone" /> : null;
  const props = { ...read, tweet };
  if (!tweet.filtered?.length) return <Card {...props} />;
  return (
    <Suspense fallback={<div className="tweet" />}>
      <Filtered id={tweet.id} hits={tweet.filtered}>
        <Card {...props} />
      </Filtered>
    </Suspense>
  );
});

function Card({ tweet, fuse, below }: Props) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const gone = useOffPage().has(tweet.id);
  if (gone) return fuse || below ? <Missing status="gone" /> : null;
  const profile = personPath({ ...tweet.author, id: tweet.authorId });
  return (
    <article
      className={fuse ? `tweet fuse ${fuse}` : "tweet"}
      data-tweet={tweet.id}
      ref={draws(tweet)}
      aria-label={t("tweet.by", { name: tweet.author.nickname })}
      onClick={(event) => {
        if (
          (event.target as HTMLElement).closest("a, button, [role=menu], .pictures, summary") ||
          getSelection()?.toString()
        )
          return;
        go(tweetPath(tweet));
      }}
    >
      {tweet.pinned && (
        <p className="lead">
          <Pin aria-hidden="true" />
          {t("profile.pinned")}
        </p>
      )}
      {tweet.sharedBy && (
        <p className="lead">
          <Repeat2 aria-hidden="true" />
          <Link href={`/users/${tweet.sharedBy.id}`}>
            {t(tweet.sharedBy.others > 0 ? "tweet.sharedByMore" : "tweet.sharedBy", {
              name: tweet.sharedBy.nickname,
              count: tweet.sharedBy.others,
            })}
          </Link>
        </p>
      )}
      {tweet.viaTag && (
        <p className="lead">
          <Link href={`/tags/${encodeURIComponent(tweet.viaTag)}`}>
            {t("tweet.via", { tag: tweet.viaTag })}
          </Link>
        </p>
      )}
      {tweet.replyTo && !fuse && !below && <Replying tweet={tweet} />}
      <Link href={profile} tabIndex={-1} aria-hidden="true" style={{ gridColumn: 1 }}>
        <Avatar of={tweet.author} />
      </Link>
      <div className="body">
        <header>
          <Link href={profile}>
            <strong dir="auto">{tweet.author.nickname}</strong>
            <span className="muted">@{tweet.author.username}</span>
          </Link>
          <Link href={tweetPath(tweet)} className="muted fixed">
            <When at={tweet.createdAt} />
          </Link>
          <Marks tweet={tweet} />
        </header>
        <TweetText tweet={tweet} />
        <Acts tweet={tweet} />
      </div>
    </article>
  );
}

/** Whom and what a tweet answers, if the list knows. It leads to what is answered. */
function Replying({ tweet: { replyTo, inReplyTo } }: { tweet: Tweet }) {
  const { t } = useTranslation();
  return (
    <p className="lead">
      <MessageCircle aria-hidden="true" />
      <Link href={`/tweets/${replyTo}`} className="answered">
        {inReplyTo ? (
          <>
            <span>{t("tweet.replyingToName", { name: `@${inReplyTo.username}` })}</span>
            <span dir="auto">{inReplyTo.excerpt}</span>
          </>
        ) : (
          t("tweet.replyingTo")
        )}
      </Link>
    </p>
  );
}

/** In the place of a tweet of a thread that nobody sees, or not this reader. */
export function Missing({ status }: { status: "found" | "gone" | "unknown" }) {
  const { t } = useTranslation();
  return (
    <div className="tweet">
      <p className="body note" style={{ gridColumn: "1 / -1" }}>
        {t(status === "gone" ? "tweet.gone" : "tweet.unknown")}
      </p>
    </div>
  );
}

/** What is special about a tweet: edited, for some people only, hidden. */
export function Marks({ tweet }: { tweet: Tweet }) {
  const { t } = useTranslation();
  return (
    <>
      {tweet.revision > 0 && (
        <button className="muted fixed" onClick={() => show({ kind: "history", tweet })}>
          {t("tweet.edited")}
        </button>
      )}
      {(tweet.visibility === "followers" || tweet.visibility === "mentioned") && (
        <span className="chip">
          <Users aria-hidden="true" />
          {t(`tweet.visibility.${tweet.visibility}`)}
        </span>
      )}
      {tweet.flagged && <span className="chip">{t("tweet.flagged")}</span>}
    </>
  );
}

/** Whether a tweet may have the card of a link: see GET /v1/linkCards. */
const linked = (t: Tweet) =>
  t.visibility !== "followers" &&
  t.visibility !== "mentioned" &&
  !t.media?.length &&
  (t.snippetHtml ?? t.html)?.includes('href="http');

/** The text, behind its warning if it has one, and what it quotes. */
export function TweetText({ tweet, large }: { tweet: Tweet; large?: boolean }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const html = (large ? tweet.html : undefined) ?? tweet.snippetHtml ?? "";
  const shown = !tweet.summary || opened;
  return (
    <>
      {tweet.summary && (
        <p className="warning">
          <span>{tweet.summary}</span>
          <button
            className="button small"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {t(opened ? "tweet.hideWarned" : "tweet.showWarned")}
          </button>
        </p>
      )}
      {shown && (
        <>
          {html ? (
            <Prose html={html} large={large ?? false} />
          ) : (
            <div className={large ? "prose typed large" : "prose typed"}>
              {tweet.content ?? tweet.snippet}
            </div>
          )}
          {!large && tweet.content === undefined && (
            <Link className="more" href={tweetPath(tweet)}>
              {t("tweet.showAll")}
            </Link>
          )}
          <Shown tweet={tweet} />
          {linked(tweet) && (
            <Suspense>
              <LinkCard html={tweet.snippetHtml ?? html} />
            </Suspense>
          )}
          {tweet.poll && (
            <Suspense fallback={<Room rem={3 * tweet.poll.options.length + 2} />}>
              <Poll tweet={tweet} />
            </Suspense>
          )}
          {tweet.quoteOf && (
            <Suspense fallback={<Room rem={6.5} />}>
              <Quoted id={tweet.quoteOf} />
            </Suspense>
          )}
          {large && tweet.remote && (
            <p className="muted">
              <Original at={tweet.remote} />
            </p>
          )}
          {tweet.quoteWithdrawn && <p className="quoted muted">{t("tweet.withdrawn")}</p>}
        </>
      )}
    </>
  );
}

/** Room for what comes late, so that what is below does not move when it comes. */
const Room = ({ rem }: { rem: number }) => (
  <div aria-hidden="true" style={{ minHeight: `${rem}rem` }} />
);

/** What can be done with a tweet. */
export function Acts({ tweet: read }: { tweet: Tweet }) {
  const tweet = useWanted(read);
  const { t } = useTranslation();
  const me = useMe();
  const { guest } = useSession();
  const [, go] = useLocation();
  const [menu, setMenu] = useState(false);
  const open = tweet.visibility === "public" || tweet.visibility === "unlisted";
  // Guests are asked in.
  const may = (act: () => void) => () => (guest ? go("/sign-up") : act());
  return (
    <div className="acts">
      <button
        className="act"
        aria-label={`${t("tweet.reply")}, ${t("tweet.replies", { count: tweet.replyCount })}`}
        disabled={!tweet.allowReplies && me?.id !== tweet.authorId}
        onClick={may(() => show({ kind: "compose", replyTo: tweet }))}
      >
        <MessageCircle aria-hidden="true" />
        {tweet.replyCount > 0 && <Count of={tweet.replyCount} />}
      </button>
      <button
        className="act share"
        aria-pressed={tweet.shared}
        aria-label={`${t(tweet.shared ? "tweet.unshare" : "tweet.share")}, ${t("tweet.shares", { count: tweet.shareCount })}`}
        disabled={!open}
        onClick={may(() => void react(read, "share"))}
      >
        <Repeat2 aria-hidden="true" />
        {tweet.shareCount > 0 && <Count of={tweet.shareCount} />}
      </button>
      <button
        className="act"
        aria-label={`${t("tweet.quote")}, ${t("tweet.quotes", { count: tweet.quoteCount })}`}
        disabled={!open || (!tweet.allowQuotes && me?.id !== tweet.authorId)}
        onClick={may(() => show({ kind: "compose", quoteOf: tweet }))}
      >
        <Quote aria-hidden="true" />
        {tweet.quoteCount > 0 && <Count of={tweet.quoteCount} />}
      </button>
      <button
        className="act spark"
        aria-pressed={tweet.liked}
        aria-label={`${t(tweet.liked ? "tweet.unlike" : "tweet.like")}, ${t("tweet.likes", { count: tweet.likeCount })}`}
        disabled={!tweet.allowLikes && !tweet.liked}
        onClick={may(() => void react(read, "like"))}
      >
        <Spark filled={tweet.liked} />
        {tweet.likeCount > 0 && <Count of={tweet.likeCount} />}
      </button>
      <button
        className="act keep"
        aria-pressed={tweet.bookmarked}
        aria-label={t(tweet.bookmarked ? "tweet.unbookmark" : "tweet.bookmark")}
        onClick={may(() => void react(read, "bookmark"))}
      >
        <Bookmark aria-hidden="true" fill={tweet.bookmarked ? "currentColor" : "none"} />
      </button>
      {menu ? (
        <Suspense fallback={<span className="act" />}>
          <TweetMenu tweet={tweet} />
        </Suspense>
      ) : (
        // The menu's scripts come with the first click.
        <button
          className="act"
          aria-label={t("tweet.more")}
          aria-haspopup="menu"
          onClick={() => setMenu(true)}
        >
          <Ellipsis aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
