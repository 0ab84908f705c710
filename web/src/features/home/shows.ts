import { useSyncExternalStore } from "react";
import type { Tweet } from "../../lib/api";
import { known } from "../posts/tweets";

/** What home shows besides the tweets of people whom the reader follows, in this browser. */
export interface Shows {
  shares: boolean;
  /** Replies to others: a thread of its author's own stays. */
  replies: boolean;
}

const place = "hibana.home";
const all: Shows = { shares: true, replies: true };
const listeners = new Set<() => void>();
let now: Shows = read();

function read(): Shows {
  try {
    const { shares, replies } = JSON.parse(localStorage.getItem(place) ?? "{}") as Partial<Shows>;
    return { shares: shares !== false, replies: replies !== false };
  } catch {
    return all; // no storage, or what another version kept
  }
}

/** Shows shares or replies from now on, or no longer; also in the browser's other pages. */
export function show(what: keyof Shows, on: boolean): void {
  now = { ...now, [what]: on };
  try {
    if (now.shares && now.replies) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(now));
  } catch {
    // for this page alone
  }
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  const heard = (event: StorageEvent) => {
    if (event.key !== place) return;
    now = read();
    listener();
  };
  listeners.add(listener);
  addEventListener("storage", heard);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", heard);
  };
}

export const shows = () => now;

/** Returns what home shows, and draws again when that changes. */
export const useShows = () => useSyncExternalStore(subscribe, () => now);

/** Returns whether home shows a tweet to a reader. The reader's own tweets, and replies to them, stay. */
export function shown(tweet: Tweet, how: Shows, reader: string | undefined): boolean {
  if (tweet.sharedBy && !how.shares) return false;
  if (how.replies || !tweet.replyTo || tweet.authorId === reader) return true;
  const to = (tweet.inReplyTo ?? known(tweet.replyTo))?.authorId;
  return to === tweet.authorId || (to !== undefined && to === reader);
}
