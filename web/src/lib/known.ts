import { appHere } from "./accounts";
import { project } from "./project";

/**
 * Whoever was signed in when this browser last showed a page of the same account, as Firebase Auth
 * keeps that in the browser. The page begins with it, and Firebase Auth, which is a fifth of the scripts, comes when
 * the page is drawn: it then says whether the session still holds.
 */
export interface Known {
  account: Account;
  tokens: Tokens;
}

/** What a page needs to know of an account of Firebase Auth. */
export interface Account {
  uid: string;
  /** Whether this is a guest, who has no way to sign in again. */
  isAnonymous: boolean;
  email: string | null;
  emailVerified: boolean;
}

interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** In milliseconds of the clock. */
  expirationTime: number;
}

/** A token that ends within so many milliseconds is taken for ended, as Firebase Auth does. */
const margin = 30_000;

// Where Firebase Auth keeps the account of an app: the SDK names neither place in its documentation,
// so whatever looks otherwise is left to it.
const isKey = (name: string) =>
  name.startsWith("firebase:authUser:") && name.endsWith(`:${appHere()}`);
const database = "firebaseLocalStorageDb";
const table = "firebaseLocalStorage";

let asked: Promise<Known | null | undefined> | undefined;

/**
 * Returns who was here, null for nobody, and undefined where only Firebase Auth can tell. It looks
 * once: later changes are those of Firebase Auth.
 */
export const known = () => (asked ??= look().catch(() => undefined));

/**
 * Returns an ID token of whoever was here, null for nobody, and undefined where only Firebase Auth
 * can give one.
 */
export async function knownToken(): Promise<string | null | undefined> {
  const who = await known();
  if (!who) return who;
  if (who.tokens.expirationTime > Date.now() + margin) return who.tokens.accessToken;
  renewed ??= renew(who.tokens).finally(() => (renewed = undefined));
  return renewed;
}

let renewed: Promise<string | undefined> | undefined;

// renew asks for a new ID token. Firebase Auth, which comes later, asks again where the kept one
// has ended: a new one ends no other.
async function renew(tokens: Tokens): Promise<string | undefined> {
  try {
    const { apiKey, authEmulator } = await project();
    const at = authEmulator ? `http://${authEmulator}/` : "https://";
    const answer = await fetch(
      `${at}securetoken.googleapis.com/v1/token?key=${encodeURIComponent(apiKey)}`,
      {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "refresh_token",
          refresh_token: tokens.refreshToken,
        }),
      },
    );
    if (!answer.ok) return undefined; // the session has ended: Firebase Auth signs out
    const { id_token, expires_in } = (await answer.json()) as Record<string, string>;
    if (!id_token) return undefined;
    tokens.accessToken = id_token;
    tokens.expirationTime = Date.now() + Number(expires_in) * 1000;
    return id_token;
  } catch {
    return undefined; // no network: Firebase Auth says so
  }
}

async function look(): Promise<Known | null | undefined> {
  const accounts = (await inDatabase()).filter((one) => one !== undefined);
  for (const name of Object.keys(localStorage))
    if (isKey(name)) accounts.push(JSON.parse(localStorage.getItem(name)!) as object);
  if (accounts.length === 0) return null;
  const [account, ...others] = accounts.map(read);
  const uid = account?.account.uid;
  return uid && others.every((other) => other?.account.uid === uid) ? account : undefined;
}

function read(account: unknown): Known | undefined {
  const { uid, isAnonymous, email, emailVerified, stsTokenManager } = account as Partial<
    Record<keyof Account, unknown>
  > & { stsTokenManager?: Partial<Record<keyof Tokens, unknown>> };
  const { accessToken, refreshToken, expirationTime } = stsTokenManager ?? {};
  if (
    typeof uid !== "string" ||
    typeof isAnonymous !== "boolean" ||
    typeof accessToken !== "string" ||
    typeof refreshToken !== "string" ||
    typeof expirationTime !== "number"
  )
    return undefined;
  return {
    account: {
      uid,
      isAnonymous,
      email: typeof email === "string" ? email : null,
      emailVerified: emailVerified === true,
    },
    tokens: { accessToken, refreshToken, expirationTime },
  };
}

// inDatabase reads the accounts that Firebase Auth keeps in IndexedDB. A database that is not there
// is not made: Firebase Auth makes its own.
function inDatabase(): Promise<unknown[]> {
  return new Promise((done, failed) => {
    const opened = indexedDB.open(database);
    opened.onupgradeneeded = () => opened.transaction!.abort();
    opened.onerror = () =>
      opened.error?.name === "AbortError" ? done([]) : failed(new Error("closed"));
    opened.onblocked = () => failed(new Error("blocked"));
    opened.onsuccess = () => {
      const db = opened.result;
      if (!db.objectStoreNames.contains(table)) return (db.close(), done([]));
      const all = db.transaction(table).objectStore(table).getAll();
      all.onerror = () => (db.close(), failed(new Error("unread")));
      all.onsuccess = () => {
        db.close();
        const rows = all.result as { fbase_key?: unknown; value?: unknown }[];
        done(rows.filter((row) => isKey(String(row.fbase_key))).map((row) => row.value));
      };
    };
  });
}
