/**
 * Listening to Firestore directly, under the rules of the database: one read for each change, and
 * none for a client to whom nothing happens. The functions take the Firestore SDK of the caller,
 * so that this package depends on none:
 *
 *     import * as sdk from "firebase/firestore";
 *     const stop = listenUnread({ ...sdk, db: sdk.getFirestore() }, user.uid, (count) => …);
 *
 * No document shows a home timeline: poll it with newer of the package.
 */

/* eslint-disable @typescript-eslint/no-explicit-any -- the types of the SDK belong to the caller */
/** What of the modular Firestore SDK is used. The modules "firebase/firestore" have it. */
export interface Firestore {
  db: unknown;
  doc(db: any, path: string, ...more: string[]): any;
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

/** The newest list of notifications, as far as unread notifications are counted. */
export interface NotificationList {
  notifications?: Record<string, { isRead?: boolean; expireAt?: { toMillis(): number } }>;
  /** Days with lists of their own. */
  days?: Record<string, { unread?: number }>;
}

/**
 * Calls changed with the number of unread notifications of a user. It listens to one document, the
 * newest list of notifications.
 */
export function listenUnread(
  sdk: Firestore,
  uid: string,
  changed: (count: number) => void,
  failed: (failure: unknown) => void = () => {},
): Listening {
  return sdk.onSnapshot(
    sdk.doc(sdk.db, "users", uid, "notificationLists", "newest"),
    {},
    (snapshot: { data(): NotificationList | undefined }) => {
      changed(unreadIn(snapshot.data() ?? {}, Date.now()));
    },
    failed,
  );
}

/** All notifications of a day have expired so many milliseconds after the day began in UTC. */
const dayExpires = 33 * 24 * 60 * 60 * 1000;

/** Counts the unread notifications of the newest list and of the days that left it. */
export function unreadIn({ notifications = {}, days = {} }: NotificationList, now: number): number {
  const shown = Object.values(notifications).filter(
    (one) => one.isRead === false && (one.expireAt?.toMillis() ?? Infinity) > now,
  );
  const older = Object.entries(days).filter(([day]) => now < Date.parse(day) + dayExpires);
  return older.reduce((sum, [, { unread = 0 }]) => sum + Math.max(0, unread), shown.length);
}

/** The counts of a tweet as its document has them: they follow what is counted within a second or so. */
export interface Counts {
  likeCount: number;
  replyCount: number;
  shareCount: number;
  quoteCount: number;
}

/**
 * Calls changed with the counts of a tweet on the screen. A tweet that is missing, deleted or not
 * for the reader is refused.
 *
 * Cost: 1 read, and 1 for each change, of which there is about one a second at most.
 */
export function listenTweet(
  sdk: Firestore,
  id: string,
  changed: (counts: Counts) => void,
  failed: (failure: unknown) => void = () => {},
): Listening {
  return sdk.onSnapshot(
    sdk.doc(sdk.db, "tweets", id),
    {},
    (snapshot: { data(): Partial<Counts> | undefined }) => {
      const tweet = snapshot.data();
      if (!tweet) return; // deleted
      const { likeCount = 0, replyCount = 0, shareCount = 0, quoteCount = 0 } = tweet;
      changed({ likeCount, replyCount, shareCount, quoteCount });
    },
    failed,
  );
}

/** A message as its document has it. */
export interface LiveMessage {
  authorId: string;
  text?: string;
  at: { toMillis(): number };
  replyTo?: string;
  media?: unknown[];
  /** The reaction of each person. */
  reactions?: Record<string, string>;
  takenBack?: boolean;
}

/** A part of the messages of a conversation, as its document has it. */
export interface MessagePart {
  /** By the number of each message in the conversation. */
  messages?: Record<string, LiveMessage>;
  /** The key of the part that follows, once there is one. */
  next?: string;
}

/**
 * Calls changed with the newest part of the messages of a conversation, by their numbers. It
 * listens to the document that GET /v1/conversations/{id}/messages names as listen, and goes on
 * with the one that follows it, and hears of the one before it, too. Its messages are also those that
 * the API leaves out for the caller.
 */
export function listenMessages(
  sdk: Firestore,
  path: string,
  changed: (messages: Record<string, LiveMessage>, path: string) => void,
  failed: (failure: unknown) => void = () => {},
): Listening {
  const stops: (() => void)[] = [];
  let ended = false;
  const follow = (path: string) => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    let next: string | undefined;
    const stop = sdk.onSnapshot(
      sdk.doc(sdk.db, path),
      {},
      (snapshot: { data(): MessagePart | undefined }) => {
        const part = snapshot.data() ?? {};
        changed(part.messages ?? {}, path);
        if (!ended && part.next && !next) {
          next = part.next;
          follow(folder + next);
        }
      },
      failed,
    );
    stops.push(stop);
    // What is in the part before may change for a while, as by taking back or a reaction.
    if (stops.length > 2) stops.shift()!();
  };
  follow(path);
  return () => {
    ended = true;
    stops.forEach((stop) => stop());
  };
}
