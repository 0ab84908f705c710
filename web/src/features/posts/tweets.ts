import type { QueryKey } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import { useMemo, useSyncExternalStore } from "react";
import { toast } from "../../lib/toast";
import { amend, body, changeList, hibana, queries, type Tweet } from "../../lib/api";
import { tell, unsure } from "../../lib/failures";
import { began, bring, patch, shadowed, walk } from "../../lib/shadow";
import { useWishes, wish, wished, type Doing, type Sending } from "../../lib/wishes";
import { readerKeys } from "../../lib/keys";
import { postKeys } from "./keys";
import { noticeKeys } from "../notifications/keys";
import { inAllTabs } from "../../lib/tabs";

// A tweet is in many lists at once: each answer holds its own copy. What the API has taken of it
// since stands in its patches, for all copies (lib/shadow.ts).

type Change = (tweet: Tweet) => Tweet | null;

const isTweet = (value: object, id?: string) =>
  "id" in value && (id ?? value.id) === value.id && "snippet" in value && "rootId" in value;

/** Changes each tweet that was read, by the name of what has it; null hides it from the reader. */
export function changeAll(how: (name: QueryKey) => Change): void {
  for (const query of queries.getQueryCache().getAll()) {
    if (query.state.data === undefined) continue;
    const after = walk(query.state.data, isTweet, how(query.queryKey), "unknown");
    if (after !== query.state.data) amend(query.queryKey, () => after);
  }
}

const counts = { like: "likeCount", share: "shareCount" } as const;
const flags = { like: "liked", share: "shared", bookmark: "bookmarked" } as const;
const kinds = ["like", "share", "bookmark"] as const;
type Kind = (typeof kinds)[number];

// marked returns the tweet with a mark, or without: its count says so too.
function marked(tweet: Tweet, kind: Kind, on: boolean): Tweet {
  if (Boolean(tweet[flags[kind]]) === on) return tweet;
  const changed = { ...tweet, [flags[kind]]: on };
  if (kind !== "bookmark" && tweet[counts[kind]] !== undefined)
    changed[counts[kind]] = Math.max(0, tweet[counts[kind]] + (on ? 1 : -1));
  return changed;
}

/**
 * Returns the tweet as its reader wants it: with the likes, shares and bookmarks that the API has
 * not yet.
 */
export function useWanted(tweet: Tweet): Tweet {
  const on = useWishes(...kinds.map((kind) => `${kind} ${tweet.id}`));
  return useMemo(
    () => kinds.reduce((t, kind, n) => (on[n] === undefined ? t : marked(t, kind, on[n])), tweet),
    [tweet, on],
  );
}

/** What the API is asked for of a tweet, by the reader's wish. */
const asking =
  (id: string, what: "like" | "share" | "bookmark" | "pin" | "mute" | "fold") =>
  (on: boolean, sending: Sending) => {
    const params = { params: { path: { id } }, ...sending };
    return on
      ? hibana.PUT(`/v1/tweets/{id}/${what}`, params)
      : hibana.DELETE(`/v1/tweets/{id}/${what}`, params);
  };

// What the API has taken, in all tabs.
const mark = inAllTabs("mark", (of: { id: string; kind: Kind; on: boolean }) =>
  patch<Tweet>(of.id, of.kind, (t) => marked(t, of.kind, of.on)),
);
const folds = inAllTabs("folded", (of: { id: string; on: boolean }) =>
  patch<Tweet>(of.id, "folded", (t) => ({ ...t, folded: of.on })),
);
const withdrawn = inAllTabs("withdrawn", (id: string) =>
  patch<Tweet>(id, "withdrawn", (t) => ({ ...t, quoteOf: null, quoteWithdrawn: true })),
);
/** Notes that the reader edited a tweet. */
export const edited = inAllTabs("edited", (tweet: Tweet) =>
  patch<Tweet>(tweet.id, "edited", ({ snippetHtml: _, html: __, ...t }) => ({ ...t, ...tweet })),
);
const counted = inAllTabs(
  "counted",
  (of: { id: string; by: string; count: "replyCount" | "quoteCount" }) =>
    patch<Tweet>(of.id, `${of.count} ${of.by}`, (t) => ({
      ...t,
      [of.count]: (t[of.count] ?? 0) + 1,
    })),
);

/**
 * Puts a like, share or bookmark on a tweet, or takes it away if it is there: at once on the page,
 * and back if the API refuses.
 */
export async function react(tweet: Tweet, kind: Kind): Promise<void> {
  const subject = `${kind} ${tweet.id}`;
  const was = Boolean((shadowed(tweet) ?? tweet)[flags[kind]]);
  const on = !(wished(subject) ?? was);
  const doing: Doing = {
    send: asking(tweet.id, kind),
    unsure,
    failed: tell,
    settle: (on) => {
      mark({ id: tweet.id, kind, on });
      if (kind === "share")
        void queries.invalidateQueries({
          queryKey: postKeys.authored(queries.getQueryData<{ id: string }>(readerKeys.me)?.id),
        });
      if (kind === "bookmark") {
        toast.success(speech.t(on ? "tweet.bookmarked" : "tweet.unbookmarked"), {
          id: "bookmark",
        });
        void queries.invalidateQueries({ queryKey: postKeys.bookmarks });
      }
    },
  };
  await wish(subject, was, on, doing);
}

/** Leaves out of what a name names the tweets that the reader does not want to see, or marks them. */
export type Sieve = (tweets: Tweet[], name: QueryKey) => Tweet[];

/** The sieve of a reader who wants to see everything. */
export const everything: Sieve = (tweets) => tweets;
let sieve = everything;
/** Returns what the reader mutes, blocks and filters, as far as the page knows: quiet.ts says it. */
export const useSieve = () => useSyncExternalStore(watch, () => sieve);
export const sift: Sieve = (tweets, name) => sieve(tweets, name);
export function setSieve(to: Sieve): void {
  if (sieve === to) return;
  sieve = to;
  watchers.forEach((watch) => watch());
}

const watchers = new Set<() => void>();
const watch = (watcher: () => void) => (watchers.add(watcher), () => void watchers.delete(watcher));

/** Pins a tweet to the profile, or unpins it. */
export async function pin(tweet: Tweet, on: boolean): Promise<void> {
  await wish(`pin ${tweet.id}`, !on, on, {
    send: asking(tweet.id, "pin"),
    unsure,
    failed: tell,
    settle: (on) => {
      toast.success(speech.t(on ? "tweet.pinned" : "tweet.unpinned"));
      void queries.invalidateQueries({ queryKey: postKeys.allPins });
    },
  });
}

/** Mutes the conversation of a tweet, or takes that back. */
export async function mute(tweet: Tweet, on: boolean): Promise<void> {
  await wish(`mute ${tweet.id}`, !on, on, {
    send: asking(tweet.id, "mute"),
    unsure,
    failed: tell,
    settle: (on) => {
      toast.success(speech.t(on ? "tweet.muted" : "tweet.unmuted"));
      void queries.invalidateQueries({ queryKey: noticeKeys.settings });
    },
  });
}

/** Hides a reply in a thread that the reader began, or shows it again. */
export async function fold(tweet: Tweet, on: boolean): Promise<void> {
  await wish(`fold ${tweet.id}`, !on, on, {
    send: asking(tweet.id, "fold"),
    unsure,
    failed: tell,
    settle: (on) => {
      toast.success(speech.t(on ? "tweet.folded" : "tweet.unfolded"));
      folds({ id: tweet.id, on });
    },
  });
}

/** Withdraws a tweet of the reader from a tweet that quotes it, for ever. */
export async function withdraw(quoted: string, { id }: Tweet): Promise<void> {
  try {
    await hibana.DELETE("/v1/tweets/{id}/quotes/{quote}", {
      params: { path: { id: quoted, quote: id } },
    });
    withdrawn(id);
    void queries.invalidateQueries({ queryKey: postKeys.quotes(quoted) });
  } catch (failure) {
    tell(failure);
  }
}

/** Returns a tweet that some list has read. */
export function known(id: string): Tweet | undefined {
  let found: Tweet | undefined;
  for (const query of queries.getQueryCache().getAll())
    walk(
      query.state.data,
      (value) => isTweet(value, id),
      (tweet: Tweet) => (found = tweet),
    );
  return (found && shadowed(found)) ?? undefined;
}

/** Changes the home timeline that was read. */
export const changeHome = (how: (pages: Pages) => Pages) => changeList<Pages>(postKeys.home, how);

// When this page answered a tweet.
const answers = new Map<string, number[]>();

/** Returns how many replies to a tweet were posted here since a time in milliseconds. */
export const answersSince = (id: string, since: number) =>
  answers.get(id)?.filter((at) => at >= since).length ?? 0;

/** Shows a new tweet of the reader where the reader looks for it. */
export function arrived(tweet: Tweet): void {
  void changeHome((pages) => first(pages, tweet));
  if (tweet.replyTo) {
    answers.set(tweet.replyTo, [...(answers.get(tweet.replyTo) ?? []), Date.now()]);
    counted({ id: tweet.replyTo, by: tweet.id, count: "replyCount" });
    void queries.invalidateQueries({ queryKey: postKeys.threads });
  }
  if (tweet.quoteOf) counted({ id: tweet.quoteOf, by: tweet.id, count: "quoteCount" });
  void queries.invalidateQueries({ queryKey: postKeys.authored(tweet.authorId) });
}

export interface Page {
  items: Tweet[];
  nextPageToken: string;
  /** Of the home timeline: with what the API is asked for what came since. */
  newest?: string;
}

export interface Pages {
  pages: Page[];
  pageParams: unknown[];
}

function first(pages: Pages, tweet: Tweet): Pages {
  const [top, ...rest] = pages.pages;
  if (!top) return pages;
  return {
    ...pages,
    pages: [{ ...top, items: [tweet, ...top.items.filter((t) => t.id !== tweet.id)] }, ...rest],
  };
}

/** Reads a tweet by itself, which has all of its poll. */
export async function readTweet(id: string) {
  const at = began();
  const tweet = await body(
    hibana.GET("/v1/tweets/{id}", { params: { path: { id }, query: { format: "html" } } }),
  );
  if (tweet.poll) bring(queries, postKeys.poll(id), tweet, at);
  return tweet;
}
