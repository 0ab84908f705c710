import { useSyncExternalStore } from "react";
import { hibana, HibanaError, home as api, queries, type Tweet } from "../../lib/api";
import { sentence, unsure } from "../../lib/failures";
import { appCheckToken, bearer, reader } from "../../lib/firebase";
import { readerKeys } from "../../lib/keys";
import { onBegin, onEnd, onLeave } from "../../lib/session";
import { patch } from "../../lib/shadow";
import { speech } from "../../lib/speech";
import { inAllTabs } from "../../lib/tabs";
import { toast, undoable } from "../../lib/toast";

// Deletions wait for as long as they can be undone. Somebody who leaves the page means them: they
// are sent then, and again by the page that comes next, since a browser may drop what a page sends
// while it is left. So are those of a session that ends; with a session that the API refuses they
// wait until the account is back.
const patience = undoable;
const kept = "hibana.deleting";
const most = 100; // notes: beyond it the oldest goes
const longest = 30 * 24 * 60 * 60_000; // milliseconds: a note that is older goes

interface Deletion {
  uid: string;
  /** When it can be undone no more, in milliseconds of the clock; 0 once that is so. */
  due: number;
  /** When it was noted; absent in a note of an older version. */
  at?: number;
}

// deletions changes what this browser remembers of deletions that the API has not confirmed.
function deletions(
  how: (all: Record<string, Deletion>) => void = () => undefined,
): Record<string, Deletion> {
  try {
    const all = JSON.parse(localStorage.getItem(kept) ?? "{}") as Record<string, Deletion>;
    how(all);
    const now = Date.now();
    const notes = Object.entries(all)
      .map(([id, one]) => [id, { ...one, at: one.at ?? now }] as const)
      .filter(([, { at }]) => now - at < longest)
      .slice(-most);
    if (notes.length > 0) localStorage.setItem(kept, JSON.stringify(Object.fromEntries(notes)));
    else localStorage.removeItem(kept);
    return Object.fromEntries(notes);
  } catch {
    return {}; // no storage
  }
}

const done = (id: string) => void deletions((all) => delete all[id]);
const meant = (id: string) => void deletions((all) => void (all[id] && (all[id].due = 0)));

const waiting = new Map<string, () => Promise<void>>();
const left = new Set<string>(); // tweets that are off the page
let token: string | undefined; // the reader's, taken when a deletion begins: a page that is left cannot wait for one
let proof: string | undefined; // that this page is genuine, where that is asked for

const gone = inAllTabs("deleted", (id: string) => patch(id, "deleted", () => null));
const messageOf = (id: string) => `deleted ${id}`;

/**
 * Tells whether there is no session to ask with: the API refuses it, Firebase Auth gives no token, or
 * another account is here by now.
 */
function signedOut(failure: unknown): boolean {
  if (failure instanceof HibanaError) return failure.status === 401;
  const { code } = failure as { code?: string };
  return !(failure instanceof TypeError) && code !== "auth/network-request-failed";
}
/** Tells whether nobody has to delete what was to be deleted. */
const isGone = (status: number) => status === 404 || status === 410;

// ask asks the API for a deletion.
async function ask(id: string): Promise<void> {
  try {
    await hibana.DELETE("/v1/tweets/{id}", { params: { path: { id } }, keepalive: true });
  } catch (failure) {
    if (!(failure instanceof HibanaError && isGone(failure.status))) throw failure;
  }
  gone(id);
}

/**
 * Deletes a tweet. It leaves the page at once; the API hears of it when it can no longer be undone.
 */
export function remove(tweet: Tweet, away?: () => void): void {
  const { id } = tweet;
  if (left.has(id)) return;
  const back = () => (left.delete(id), look());
  const send = async () => {
    if (!waiting.delete(id)) return;
    clearTimeout(due);
    try {
      await ask(id);
      void queries.invalidateQueries({ queryKey: readerKeys.me });
    } catch (failure) {
      if (signedOut(failure)) return meant(id);
      back();
      toast.error(sentence(failure));
    }
    done(id);
  };
  const due = setTimeout(send, patience);
  left.add(id);
  look();
  waiting.set(id, send);
  const at = Date.now();
  deletions((all) => (all[id] = { uid: tweet.authorId, due: at + patience, at }));
  void bearer().then(
    (taken) => (token = taken),
    () => undefined,
  );
  void appCheckToken().then(
    (taken) => (proof = taken),
    () => undefined,
  );
  toast(speech.t("tweet.deleted"), {
    id: messageOf(id),
    duration: patience,
    action: {
      label: speech.t("tweet.undo"),
      onClick: () => waiting.delete(id) && (clearTimeout(due), done(id), back()),
    },
  });
  away?.();
}

// look tells the lists that a tweet is off the page, or back.
function look(): void {
  offPage = new Set(left);
  watchers.forEach((watch) => watch());
}

// sendNow sends a deletion with the token that was taken when it began.
const sendNow = (id: string) =>
  fetch(`${api}/v1/tweets/${id}`, {
    method: "DELETE",
    keepalive: true,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(proof ? { "X-Firebase-AppCheck": proof } : {}),
    },
  });

// A page that is left sends what waits, without waiting for anything itself.
addEventListener("pagehide", () => {
  for (const id of waiting.keys()) {
    meant(id);
    if (token) void sendNow(id).catch(() => undefined);
  }
});

// Where the session ends, nothing can be undone any more. A session that was signed out of elsewhere
// still has its token for a while. What another page has sent by then has no note.
onEnd(() => {
  const notes = deletions();
  for (const id of waiting.keys()) {
    toast.dismiss(messageOf(id));
    if (!notes[id]) continue;
    meant(id);
    if (token)
      void sendNow(id).then(
        ({ ok, status }) => (ok || isGone(status)) && done(id),
        () => undefined,
      );
  }
  waiting.clear();
  left.clear();
  token = undefined;
  look();
});

// resume sends the deletions of the reader that another page did not get to the API, such as one
// that was left.
async function resume(): Promise<void> {
  const uid = await reader();
  for (const [id, { uid: author, due }] of Object.entries(deletions())) {
    // Another window may still offer to undo it.
    if (author !== uid || Date.now() < due + (due > 0 ? patience : 0)) continue;
    if (waiting.delete(id)) toast.dismiss(messageOf(id));
    left.add(id);
    look();
    try {
      await ask(id);
    } catch (failure) {
      if (signedOut(failure)) continue; // it is done when the account is back
      left.delete(id);
      look();
      if (unsure(failure)) continue; // the next page tries again
    }
    done(id);
  }
}
addEventListener("storage", (event) => event.key === kept && void resume()); // another window was left
// A page that comes back from the browser's cache is as it was left.
addEventListener("pageshow", (event) => event.persisted && void resume());

onBegin(() => void resume());

// A sign-out deletes at once what still waits, also in other tabs: they are signed out with it.
onLeave(async () => {
  const uid = await reader();
  deletions((all) => {
    for (const one of Object.values(all)) if (one.uid === uid) one.due = 0;
  });
  await resume();
});

let offPage: ReadonlySet<string> = new Set();
const watchers = new Set<() => void>();
const watch = (watcher: () => void) => (watchers.add(watcher), () => void watchers.delete(watcher));

/** Returns the tweets that are off the page, because they are being deleted. */
export const useOffPage = () => useSyncExternalStore(watch, () => offPage);
