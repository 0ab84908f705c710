import type { Counts, Listening, LiveMessage } from "@hibana/client/listen";
import { drawn } from "./drawn";
import { firebase } from "./firebase";

// The database that the services use as FIRESTORE_DATABASE, which a restore may have changed.
const database: string = import.meta.env.VITE_FIRESTORE_DATABASE || "(default)";

/** Loads the Firestore SDK. */
async function firestore() {
  const [{ app, project }, sdk] = await Promise.all([firebase(), import("./firestore")]);
  let db: ReturnType<typeof sdk.getFirestore>;
  try {
    db = sdk.initializeFirestore(app, {}, database); // in memory: keep.ts keeps what is shown
    if (project.firestoreEmulator) {
      const [host = "127.0.0.1", port = "8080"] = project.firestoreEmulator.split(":");
      sdk.connectFirestoreEmulator(db, host, Number(port));
    }
  } catch {
    db = sdk.getFirestore(app, database); // begun before
  }
  return { ...sdk, db };
}

/** Calls changed with the number of unread notifications. Returns what ends that. */
export function followUnread(uid: string, changed: (count: number) => void): () => void {
  return later(async () => {
    const [{ listenUnread }, sdk] = await Promise.all([
      import("@hibana/client/listen"),
      firestore(),
    ]);
    return listenUnread(sdk, uid, changed);
  });
}

/** Calls changed with the counts of a tweet. Returns what ends that. */
export function followTweet(id: string, changed: (counts: Counts) => void): () => void {
  return later(async () => {
    const [{ listenTweet }, sdk] = await Promise.all([
      import("@hibana/client/listen"),
      firestore(),
    ]);
    return listenTweet(sdk, id, changed);
  });
}

/** Calls changed with the newest messages of a conversation. Returns what ends that. */
export function followMessages(
  path: string,
  changed: (messages: Record<string, LiveMessage>, path: string) => void,
): () => void {
  return later(async () => {
    const [{ listenMessages }, sdk] = await Promise.all([
      import("@hibana/client/listen"),
      firestore(),
    ]);
    return listenMessages(sdk, path, changed);
  });
}

// later begins to listen, and ends it also if it had not begun yet. The Firestore SDK is the larger
// half of the scripts: the first page is drawn before.
function later(begin: () => Promise<Listening>): () => void {
  let ended = false;
  let stop: Listening | undefined;
  drawn
    .then(() => (ended ? undefined : begin()))
    .then(
      (begun) => (ended ? begun?.() : (stop = begun)),
      () => undefined, // without a listener the page still loads what is new on request
    );
  return () => {
    ended = true;
    stop?.();
  };
}
