/**
 * Listening to Firestore directly, under the rules of the database: one read for each change, and
 * none for a client to whom nothing happens. The functions take the Firestore SDK of the caller,
 * so that this package depends on none:
 *
 *     import * as sdk from "firebase/firestore";
 *     const stop = listenHome({ ...sdk, db: sdk.getFirestore() }, user.uid, ({ added }) => …);
 */

/* eslint-disable @typescript-eslint/no-explicit-any -- the types of the SDK belong to the caller */
/** What of the modular Firestore SDK is used. The modules "firebase/firestore" have it. */
export interface Firestore {
  db: unknown;
  doc(db: any, path: string, ...more: string[]): any;
  collection(db: any, path: string, ...more: string[]): any;
  query(collection: any, ...constraints: any[]): any;
  where(field: string, op: any, value: unknown): any;
  limit(count: number): any;
  onSnapshot(
    of: any,
    options: any,
    next: (snapshot: any) => void,
    failed?: (failure: any) => void,
  ): () => void;
}
/* eslint-enable @typescript-eslint/no-explicit-any */

/** Ends listening. */
export type Listening = () => void;

/**
 * What changed in a home timeline since the last call. The first call of all has everything as
 * added.
 */
export interface HomeChange {
  /**
   * Tweets that came, by id, each with whoever brought it, its author or who shared it, and the
   * time of that in milliseconds.
   */
  added: Map<string, { by: string; at: number }>;
  /** Tweets that left: they were deleted, or nobody whom the user follows shares them any more. */
  removed: string[];
  /** True for the first call of a month: what is added was there before. */
  first: boolean;
}

interface Month {
  entries?: Record<string, string>;
  shares?: Record<string, string>;
  dropped?: Record<string, { toMillis(): number }>;
}

/** Escapes a user id for a composite key, in which an underscore separates. */
export function keyOf(uid: string): string {
  return uid.replaceAll("%", "%25").replaceAll("_", "%5F").replaceAll("/", "%2F");
}

/** Returns the month of a time as keys have it, in UTC: 2026-11. */
export function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7);
}

/**
 * Calls changed with the tweets that come to the home timeline of a user and leave it. It listens
 * to the document of this month, and to the next one when the month ends. Tweets of authors with
 * very many followers are in no document of the reader's; GET /v1/timeline has them.
 *
 * A failure, such as a sign-out, is given to failed and ends the listening.
 */
export function listenHome(
  sdk: Firestore,
  uid: string,
  changed: (change: HomeChange) => void,
  failed: (failure: unknown) => void = () => {},
): Listening {
  let stop = () => {};
  let turn: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    stop();
    clearTimeout(turn);
    const month = monthOf(new Date());
    let known: HomeChange["added"] = new Map();
    let first = true;
    stop = sdk.onSnapshot(
      sdk.doc(sdk.db, "timelines", `${keyOf(uid)}_${month}`),
      { includeMetadataChanges: true },
      (snapshot: { metadata?: { fromCache: boolean }; data(): Month | undefined }) => {
        // What the SDK has by itself, where the database takes long, may be old or nothing. That
        // the database said the same is a change of metadata alone.
        if (first && snapshot.metadata?.fromCache) return;
        const data = snapshot.data();
        // A share stands under its own id and that of its tweet.
        const entries: HomeChange["added"] = new Map();
        for (const [place, by] of [
          ...Object.entries(data?.entries ?? {}),
          ...Object.entries(data?.shares ?? {}),
        ]) {
          const [from, at, id] = [
            data?.dropped?.[by],
            timeOf(place.slice(0, 18)),
            place.slice(-18),
          ];
          if (from !== undefined && at < from.toMillis()) continue;
          const there = entries.get(id);
          if (!there || there.at < at) entries.set(id, { by, at });
        }
        const added = new Map([...entries].filter(([id]) => !known.has(id)));
        const removed = [...known.keys()].filter((id) => !entries.has(id));
        known = entries;
        if (first || added.size > 0 || removed.length > 0) changed({ added, removed, first });
        first = false;
      },
      failed,
    );
    // At most a day, so that no timer is too long for setTimeout.
    turn = setTimeout(function look() {
      if (monthOf(new Date()) === month) turn = setTimeout(look, untilNextMonth());
      else listen();
    }, untilNextMonth());
  };
  listen();
  return () => {
    stop();
    clearTimeout(turn);
  };
}

/** Calls changed with the number of unread notifications of a user, 100 at most. */
export function listenUnread(
  sdk: Firestore,
  uid: string,
  changed: (count: number) => void,
  failed: (failure: unknown) => void = () => {},
): Listening {
  const unread: unknown = sdk.query(
    sdk.collection(sdk.db, "users", uid, "notifications"),
    sdk.where("isRead", "==", false),
    sdk.limit(100),
  );
  return sdk.onSnapshot(unread, {}, (snapshot: { size: number }) => changed(snapshot.size), failed);
}

/**
 * Returns the creation time of a tweet in milliseconds, read from its id; 0 if this is no tweet id.
 */
export function timeOf(id: string): number {
  return /^[0-9a-f]{18}$/.test(id) ? Number(BigInt(`0x${id.slice(2)}`) >> 20n) : 0;
}

function untilNextMonth(): number {
  const now = new Date();
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return Math.min(next - now.getTime() + 500, 24 * 60 * 60 * 1000);
}
