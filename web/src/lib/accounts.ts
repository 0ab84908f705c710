import { useSyncExternalStore } from "react";

/**
 * An account of this browser. It has an app of Firebase of its own, by whose name Firebase Auth
 * keeps the session apart from others. A page belongs to one account from its first script to its
 * last: whoever switches loads another page.
 */
export interface Entry {
  /** The name of the app. */
  app: string;
  uid: string;
  /** As last seen; empty for an account without a profile. */
  username: string;
  nickname: string;
  avatar: string;
  /** Whether the session has ended, and nobody signed out here. */
  ended?: true;
}

/** The names that an app may have: so many accounts has a browser at most. */
export const apps = ["[DEFAULT]", "hibana-2", "hibana-3", "hibana-4", "hibana-5"];

const all = "hibana.accounts"; // of the browser: the one that was used last is the first
/** Where a tab keeps the name of its app. */
export const own = "hibana.account";

/** Reads the list of accounts as text. What has another form is left out. */
export function parse(text: string | null): Entry[] {
  try {
    const list = JSON.parse(text ?? "[]") as Partial<Entry>[];
    const read = list.filter(
      (one): one is Entry =>
        [one.uid, one.username, one.nickname, one.avatar].every((is) => typeof is === "string") &&
        apps.includes(one.app!),
    );
    return read.filter(({ app }, n) => read.findIndex((one) => one.app === app) === n);
  } catch {
    return [];
  }
}

/**
 * Chooses the app of a page: that of its tab, also while somebody signs in to another account
 * there; else that of the account that was used last.
 */
export function choose(own: string | null, list: readonly Entry[], path: string): string {
  const door = /^\/sign-(in|up)\/?$/.test(path);
  if (own && apps.includes(own) && (door || list.some(({ app }) => app === own))) return own;
  return (list.find(({ ended }) => !ended) ?? list[0])?.app ?? apps[0]!;
}

/**
 * Puts an account first. It takes the place of another one of its app, and of itself where its
 * session had ended.
 */
export const put = (list: readonly Entry[], entry: Entry): Entry[] => [
  entry,
  ...list.filter(({ app, uid, ended }) => app !== entry.app && !(uid === entry.uid && ended)),
];

const stored = (storage: () => Storage, key: string) => {
  try {
    return storage().getItem(key);
  } catch {
    return null; // storage is closed: the browser has the account of this page
  }
};
const ofBrowser = () => parse(stored(() => localStorage, all));

let list = ofBrowser();
let app = choose(
  stored(() => sessionStorage, own),
  list,
  location.pathname,
);
const hearers = new Set<() => void>();
const subscribe = (hear: () => void) => (hearers.add(hear), () => void hearers.delete(hear));
const show = (now: Entry[]) => {
  list = now;
  hearers.forEach((hear) => hear());
};
addEventListener("storage", ({ key }) => key === all && show(ofBrowser()));

/** The name of the Firebase app of this page. */
export const appHere = () => app;

/** The accounts of this browser, the one that was used last first. */
export const accounts = (): readonly Entry[] => list;
export const useAccounts = () => useSyncExternalStore(subscribe, accounts);

/**
 * Where the tab keeps which accounts are still to be signed out, each by a page of its own: leave.ts
 * has them.
 */
export const leavingKey = "hibana.leaving";

/** The uid of the account of this page; undefined for a visitor and a guest, also in the place of an account whose session has ended. */
export const uidHere = () => list.find((one) => one.app === app && !one.ended)?.uid;

/** By what the storage of the browser tells whose something is: the uid of the account of this page, or guest. */
export const ownerHere = () => uidHere() ?? guest;
export const guest = "guest";

/** Tells whether an account is signed in under another app than that of this page. */
export const elsewhere = (uid: string) =>
  list.some((one) => one.uid === uid && one.app !== app && !one.ended);

/** Changes the list, as it is now: another page may have changed it. */
export function change(how: (list: readonly Entry[]) => Entry[]): void {
  const now = how(stored(() => localStorage, all) === null ? list : ofBrowser());
  try {
    if (now.length > 0) localStorage.setItem(all, JSON.stringify(now));
    else localStorage.removeItem(all);
    if (!left) sessionStorage.setItem(own, app);
  } catch {
    // as above
  }
  show(now);
}

/** Notes the account of this page, by its profile, or by its address until that is known. */
export function remember(
  uid: string,
  profile: Pick<Entry, "username" | "nickname" | "avatar"> | undefined,
  address = "",
): void {
  if (elsewhere(uid)) return;
  const was = list.find((one) => one.app === app && one.uid === uid);
  const { username, nickname, avatar } = profile ??
    was ?? { username: "", nickname: address, avatar: "" };
  change((list) => put(list, { app, uid, username, nickname, avatar }));
}

/** Notes that nobody is signed in here, if somebody was. */
export function noteEnd(): void {
  if (list.some((one) => one.app === app && !one.ended))
    change((list) => list.map((one) => (one.app === app ? { ...one, ended: true } : one)));
}

let left = false; // for a page of another account

/** Loads a page for the account of another app, or of none. */
export function to(other: string, path = "/"): void {
  left = true;
  try {
    sessionStorage.setItem(own, other);
  } catch {
    // as above: there is no other account
  }
  location.assign(path);
}

/**
 * Takes over the account that a notification was for, where its click may have opened this page:
 * handover.ts asks.
 */
export async function arrive(): Promise<void> {
  if (list.length < 2 || stored(() => sessionStorage, own)) return;
  const { handedOver } = await import("./handover");
  const uid = await handedOver();
  app = list.find((one) => one.uid === uid)?.app ?? app;
}

// A page that comes back from the browser's cache is of the account that it was of.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && (stored(() => sessionStorage, own) ?? app) !== app) location.reload();
});
