import { matchFilters, type Filter, type FilterContext } from "@hibana/client/filters";
import type { QueryKey } from "@tanstack/react-query";
import { amend, cut, queries, type Schemas, type Tweet } from "../../lib/api";
import { copied } from "../../lib/shadow";
import { wished, wishesOf } from "../../lib/wishes";
import { changeAll, everything, known as read, setSieve } from "../posts/tweets";
import { postKeys } from "../posts/keys";
import { peopleKeys } from "../people/keys";
import { noticeKeys } from "../notifications/keys";
import { exploreKeys } from "../explore/keys";
import { listKeys } from "../lists/keys";
import { inAllTabs } from "../../lib/tabs";
import { blocking, muting } from "../people/subjects";

// The API leaves out what the reader mutes, blocks and filters. But what this page and the browser
// have was read before the reader's last change, or is on its way: the sieve applies it at once.

type Part = Schemas["Muting"]["part"];
/** What is hidden of a muted person, and until when: null for ever. */
export interface Hush {
  part: Part;
  until: string | null;
}

// Where filters act, by the first part of the name of what was read.
const places: Record<string, FilterContext> = {
  [postKeys.home[0]]: "home",
  [listKeys.tweets[0]]: "home",
  [exploreKeys.public[0]]: "public",
  [exploreKeys.allFound[0]]: "public",
  [exploreKeys.allTagged[0]]: "public",
  [exploreKeys.trends[0]]: "public",
  [postKeys.threads[0]]: "thread",
  [postKeys.allQuotes[0]]: "thread",
  [postKeys.allQuoted[0]]: "thread",
  [postKeys.allAuthored[0]]: "profile",
  [postKeys.allPins[0]]: "profile",
  [noticeKeys.mentions[0]]: "notifications",
};
const place = (name: QueryKey) => places[String(name[0])];
// Lists without filters that leave out people.
const others: string[] = [
  postKeys.likes[0],
  postKeys.shares[0],
  peopleKeys.followers[0],
  peopleKeys.following[0],
  exploreKeys.allTagUsers[0],
  exploreKeys.allPeople[0],
];

let reader: string | undefined;
let filters: Filter[] = [];
const removed = new Set<string>(); // filters that an answer on its way may still name
// What the API has taken. What the reader wants meanwhile is a wish, and counts before it.
const people = new Map<string, Hush>(); // muted
const blocked = new Set<string>(); // apart from mutes: a block neither replaces nor ends one

/** Says who reads, and the filters as they are. Another reader begins with nothing else. */
export function begin(uid: string | undefined, known: Filter[]): void {
  if (uid !== reader) {
    people.clear();
    blocked.clear();
    removed.clear();
  }
  reader = uid;
  filters = known;
  publish();
}

/** Hides a muted person from now on, or no longer: the API says so. */
export const hush = (uid: string, how: Hush | undefined) => hushes({ uid, how });

const hushes = inAllTabs("hush", ({ uid, how }: { uid: string; how: Hush | undefined }) => {
  if (how) people.set(uid, how);
  else people.delete(uid);
  publish();
});

/** Tells whether the page knows that a person is muted. */
export const isHushed = (uid: string) => people.has(uid);

/** Hides everything of a person who is blocked, or no longer: the API says so. */
export const bar = (uid: string, on: boolean) => bars({ uid, on });

const bars = inAllTabs("bar", ({ uid, on }: { uid: string; on: boolean }) => {
  if (on) blocked.add(uid);
  else blocked.delete(uid);
  publish();
});

/** Takes the marks of a filter off what was read, before it is another or none. */
export function forget(id: string, gone: boolean): void {
  if (gone) removed.add(id);
  else removed.delete(id);
  changeAll(() => (tweet) => without(tweet, (hit) => hit === id));
}

/** Takes out of what was read, and so of what the browser keeps, what the reader hides. */
export function sweep(): void {
  // The tweet that a thread is about stays, as in the answers of the API.
  changeAll(
    (name) => (tweet) =>
      name[0] === postKeys.threads[0] && name[1] === tweet.id ? tweet : seen(tweet, name),
  );
  // As the API does: a mute leaves the notifications that are there, a block does not.
  if (blocked.size > 0)
    amend<Told>(noticeKeys.all, (told) => ({
      ...told,
      pages: told.pages.map((page) => ({ ...page, items: page.items.flatMap(unblocked) })),
    }));
}

interface Told {
  pages: { items: Schemas["Notification"][] }[];
}

function unblocked(one: Schemas["Notification"]): Schemas["Notification"][] {
  const records = one.records.filter((record) => !blocked.has(record.userId));
  const gone = new Set(one.records.map((record) => record.userId)).size;
  const stay = new Set(records.map((record) => record.userId)).size;
  if (records.length === one.records.length) return [one];
  return records.length > 0 ? [{ ...one, records, countUsers: one.countUsers - gone + stay }] : [];
}

/**
 * Has lists read again when they are shown next; with back also those on the page, in which
 * something is to come back.
 */
export function refresh(back: boolean): void {
  for (const query of queries.getQueryCache().getAll()) {
    const name = query.queryKey;
    if (!place(name) && name[0] !== noticeKeys.all[0] && !others.includes(String(name[0])))
      continue;
    if (!query.isActive() && query.state.fetchStatus === "idle" && isPaged(query.state.data))
      cut(name, 0);
    void queries.invalidateQueries({
      queryKey: name,
      exact: true,
      refetchType: back || !place(name) ? "active" : "none",
    });
  }
}

const isPaged = (data: unknown) => Array.isArray((data as { pages?: unknown } | undefined)?.pages);

/** Looks anew at what is hidden, as when a wish begins or ends. */
export const publish = () =>
  setSieve(
    filters.length + removed.size + people.size + blocked.size === 0 &&
      wishesOf(muting("")).length + wishesOf(blocking("")).length === 0
      ? everything
      : (tweets, name) =>
          place(name) ? tweets.flatMap((tweet) => seen(tweet, name) ?? []) : tweets,
  );

// seen returns the tweet as the reader sees it, null if not at all, and itself where nothing is to
// be said of it.
function seen(tweet: Tweet, name: QueryKey): Tweet | null {
  const where = place(name);
  if (!where) return tweet;
  const sharer = tweet.sharedBy && hushed(tweet.sharedBy.id);
  if (sharer && (where !== "profile" || sharer === "block") && sharer !== "replies") return null;
  if (tweet.authorId === reader) return tweet;
  const author = hushed(tweet.authorId);
  if (author === "block") return null;
  // The own pages of a muted person stay, and what another tweet quotes is folded.
  if (where !== "profile" && name[0] !== postKeys.allQuoted[0] && author && author !== "shares")
    if (author === "all" || answersAnother(tweet)) return null;
  const left = without(tweet, (id) => removed.has(id));
  const text = {
    texts: [tweet.snippet, tweet.summary ?? "", ...(tweet.poll?.options ?? []).map((o) => o.text)],
    tags: tweet.tags,
  };
  const known = left.filtered ?? [];
  const news = matchFilters(filters, text, where).filter(
    (hit) => !known.some((other) => other.filterId === hit.filterId),
  );
  if (name[0] !== postKeys.allQuoted[0] && news.some((hit) => hit.action === "hide")) return null;
  return news.length > 0 ? copied(left, { ...left, filtered: [...known, ...news] }) : left;
}

// A thread of one's own is no reply to others.
const answersAnother = ({ replyTo, inReplyTo, authorId }: Tweet) =>
  replyTo && (inReplyTo ?? read(replyTo))?.authorId !== authorId;

const isBlocked = (uid: string) => wished(blocking(uid)) ?? blocked.has(uid);

function hushed(uid: string): Part | "block" | undefined {
  if (isBlocked(uid)) return "block";
  const wanted = wished<Hush | null>(muting(uid));
  const how = wanted === undefined ? people.get(uid) : wanted;
  return how && (how.until === null || Date.now() < Date.parse(how.until)) ? how.part : undefined;
}

function without(tweet: Tweet, of: (filterId: string) => boolean): Tweet {
  if (!tweet.filtered?.some((hit) => of(hit.filterId))) return tweet;
  const filtered = tweet.filtered.filter((hit) => !of(hit.filterId));
  return copied(tweet, { ...tweet, filtered });
}
