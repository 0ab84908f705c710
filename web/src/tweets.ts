import type { QueryKey } from "@tanstack/react-query";
import i18next from "i18next";
import { toast } from "./toast";
import { amend, body, changeList, hibana, queries, type Tweet } from "./api";
import { sentence, tell } from "./failures";

// A tweet is in many lists at once: each answer holds its own copy. A change goes to all of them.

type Change = (tweet: Tweet) => Tweet | null;

/** Changes a tweet wherever it was read; null takes it away. Returns what puts everything back. */
export function change(id: string, how: Change): () => void {
  const before: [QueryKey, unknown][] = [];
  for (const query of queries.getQueryCache().getAll()) {
    if (query.state.data === undefined) continue;
    const after = walk(query.state.data, id, how);
    if (after !== query.state.data) {
      before.push([query.queryKey, query.state.data]);
      amend(query.queryKey, () => after);
    }
  }
  return () => before.forEach(([key, data]) => amend(key, () => data));
}

// walk returns value with the tweet changed, and value itself where the tweet is not.
function walk(value: unknown, id: string, how: Change): unknown {
  if (Array.isArray(value)) {
    let changed = false;
    const items = value.flatMap((item: unknown) => {
      const after = walk(item, id, how);
      changed ||= after !== item;
      return after === null && item !== null ? [] : [after];
    });
    return changed ? items : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if ("id" in value && value.id === id && "snippet" in value && "rootId" in value) return how(value as Tweet);
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const after = walk(item, id, how);
    if (after === item) continue;
    copy ??= { ...value };
    if (after === null) {
      // A node of a thread keeps its place.
      if ("status" in copy) copy["status"] = "gone";
      delete copy[key];
    } else copy[key] = after;
  }
  return copy ?? value;
}

const counts = { like: "likeCount", share: "shareCount" } as const;
const flags = { like: "liked", share: "shared", bookmark: "bookmarked" } as const;

/** Puts a like, share or bookmark on a tweet, or takes it away: at once on the page, and back if the API refuses. */
export async function react(tweet: Tweet, kind: keyof typeof flags, on: boolean): Promise<void> {
  const back = change(tweet.id, (t) => {
    if (Boolean(t[flags[kind]]) === on) return t;
    const changed = { ...t, [flags[kind]]: on };
    if (kind !== "bookmark" && t[counts[kind]] !== undefined) changed[counts[kind]] = Math.max(0, t[counts[kind]] + (on ? 1 : -1));
    return changed;
  });
  const params = { params: { path: { id: tweet.id } } };
  try {
    if (kind === "like") await (on ? hibana.PUT("/v1/tweets/{id}/like", params) : hibana.DELETE("/v1/tweets/{id}/like", params));
    if (kind === "share") await (on ? hibana.PUT("/v1/tweets/{id}/share", params) : hibana.DELETE("/v1/tweets/{id}/share", params));
    if (kind === "share") void queries.invalidateQueries({ queryKey: ["authored", queries.getQueryData<{ id: string }>(["me"])?.id] });
    if (kind === "bookmark") {
      await (on ? hibana.PUT("/v1/tweets/{id}/bookmark", params) : hibana.DELETE("/v1/tweets/{id}/bookmark", params));
      toast.success(i18next.t(on ? "tweet.bookmarked" : "tweet.unbookmarked"), { id: "bookmark" });
      await queries.invalidateQueries({ queryKey: ["bookmarks"] });
    }
  } catch (failure) {
    back();
    tell(failure);
  }
}

// Deletions wait for as long as they can be undone. Whoever leaves the page means them.
const waiting = new Map<string, () => Promise<void>>();
const patience = 10_000;
let watching = false;

/** Deletes a tweet. It leaves the page at once; the API hears of it when it can no longer be undone. */
export function remove(tweet: Tweet, away?: () => void): void {
  const back = change(tweet.id, () => null);
  const send = async () => {
    if (!waiting.delete(tweet.id)) return;
    clearTimeout(due);
    try {
      await hibana.DELETE("/v1/tweets/{id}", { params: { path: { id: tweet.id } }, keepalive: true });
      change(tweet.id, () => null); // a list that was read meanwhile
      void queries.invalidateQueries({ queryKey: ["me"] });
    } catch (failure) {
      back();
      toast.error(sentence(failure));
    }
  };
  const due = setTimeout(send, patience);
  waiting.set(tweet.id, send);
  if (!watching) {
    watching = true;
    addEventListener("pagehide", () => waiting.forEach((send) => void send()));
  }
  toast(i18next.t("tweet.deleted"), {
    duration: patience,
    action: { label: i18next.t("tweet.undo"), onClick: () => waiting.delete(tweet.id) && (clearTimeout(due), back()) },
  });
  away?.();
}

/** Deletes at once what still waits, before a sign-out. */
export const flush = () => Promise.allSettled([...waiting.values()].map((send) => send()));

/** Tells whether a tweet is being deleted. */
export const leaves = (id: string) => waiting.has(id);

/** Pins a tweet to the profile, or unpins it. */
export async function pin(tweet: Tweet, on: boolean): Promise<void> {
  const params = { params: { path: { id: tweet.id } } };
  try {
    await (on ? hibana.PUT("/v1/tweets/{id}/pin", params) : hibana.DELETE("/v1/tweets/{id}/pin", params));
    toast.success(i18next.t(on ? "tweet.pinned" : "tweet.unpinned"));
    await queries.invalidateQueries({ queryKey: ["pins"] });
  } catch (failure) {
    tell(failure);
  }
}

/** Mutes the conversation of a tweet, or takes that back. */
export async function mute(tweet: Tweet, on: boolean): Promise<void> {
  const params = { params: { path: { id: tweet.id } } };
  try {
    await (on ? hibana.PUT("/v1/tweets/{id}/mute", params) : hibana.DELETE("/v1/tweets/{id}/mute", params));
    toast.success(i18next.t(on ? "tweet.muted" : "tweet.unmuted"));
    await queries.invalidateQueries({ queryKey: ["noticeSettings"] });
  } catch (failure) {
    tell(failure);
  }
}

const home = ["home"];

/** Changes the home timeline that was read. */
export const changeHome = (how: (pages: Pages) => Pages) => changeList<Pages>(home, how);

/** Shows a new tweet of the reader where the reader looks for it. */
export function arrived(tweet: Tweet): void {
  void changeHome((pages) => first(pages, tweet));
  if (tweet.replyTo) {
    change(tweet.replyTo, (t) => ({ ...t, replyCount: (t.replyCount ?? 0) + 1 }));
    void queries.invalidateQueries({ queryKey: ["thread"] });
  }
  if (tweet.quoteOf) change(tweet.quoteOf, (t) => ({ ...t, quoteCount: (t.quoteCount ?? 0) + 1 }));
  void queries.invalidateQueries({ queryKey: ["authored", tweet.authorId] });
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
  return { ...pages, pages: [{ ...top, items: [tweet, ...top.items.filter((t) => t.id !== tweet.id)] }, ...rest] };
}

/** Reads a tweet by itself. */
export function readTweet(id: string) {
  return body(hibana.GET("/v1/tweets/{id}", { params: { path: { id }, query: { format: "html" } } }));
}
