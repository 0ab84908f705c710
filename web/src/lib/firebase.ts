import type { FirebaseApp } from "firebase/app";
import type { Auth } from "firebase/auth";
import { appHere } from "./accounts";
import { known, knownToken } from "./known";
import { project, type Project } from "./project";

interface Firebase {
  app: FirebaseApp;
  auth: Auth;
  project: Project;
  /** Gives an App Check token, where the project asks for one. */
  prove?: () => Promise<string>;
}

let begun: Promise<Firebase> | undefined;
let ready: Auth | undefined; // once Firebase Auth knows who is signed in

const checkKey = (about: Project) => about.appCheckKey ?? import.meta.env.VITE_APP_CHECK_KEY;

/**
 * Loads and begins Firebase Auth for the account of this page, and returns when it knows who is
 * signed in. Pages are drawn by
 * what known.ts says, before. Firestore comes later still, see live.ts.
 */
export function firebase(): Promise<Firebase> {
  begun ??= Promise.all([project(), import("./auth")]).then(async ([about, sdk]) => {
    const { authEmulator, firestoreEmulator: _, appCheckKey: __, ...options } = about;
    const app = sdk.initializeApp(options, appHere());
    // Before anything asks Firebase: its other parts then send the token, too.
    const key = checkKey(about);
    const prove = key ? (await import("./appcheck")).proof(app, key) : undefined;
    const auth = sdk.initializeAuth(app, {
      persistence: [
        sdk.indexedDBLocalPersistence,
        sdk.browserLocalPersistence,
        sdk.inMemoryPersistence,
      ],
    });
    if (authEmulator)
      sdk.connectAuthEmulator(auth, `http://${authEmulator}`, { disableWarnings: true });
    await auth.authStateReady();
    ready = auth;
    return { app, auth, project: about, prove };
  });
  begun.catch(() => (begun = undefined));
  return begun;
}

/**
 * Returns the App Check token of this page; undefined where none is asked for or can be had: then
 * the API decides.
 */
export async function appCheckToken(): Promise<string | undefined> {
  if (!checkKey(await project())) return undefined;
  const { prove } = await firebase();
  return prove?.().catch(() => undefined);
}

/**
 * Signs out if an Authorization header that was refused has the token of this page's session: it
 * was ended elsewhere.
 */
export async function ended(header: string | null): Promise<void> {
  const early = await known();
  const earlyToken = await knownToken();
  const { auth } = await firebase();
  const account = auth.currentUser;
  if (!account) return;
  const mine = [await account.getIdToken()];
  if (earlyToken && early?.account.uid === account.uid) mine.push(earlyToken);
  if (mine.some((token) => header === `Bearer ${token}`)) await auth.signOut();
}

let shown: string | undefined;

/** Notes whose page this is; undefined for that of a visitor or a guest. */
export const shows = (uid: string | undefined) => void (shown = uid);

// signedIn returns who is signed in. Another page may have signed out here and in to another
// account: until this page is loaded anew it is of the account before, and sends nothing.
async function signedIn() {
  const is = (await firebase()).auth.currentUser;
  if (is && shown && is.uid !== shown) throw new Error("another account is signed in now");
  return is;
}

/** Returns the uid of whoever is signed in now. */
export async function reader(): Promise<string | undefined> {
  if (!ready) {
    const who = await known();
    if (who !== undefined && !ready) return who?.account.uid;
  }
  return (await signedIn())?.uid;
}

/** Returns the ID token of whoever is signed in, or a fresh one. */
export async function bearer(fresh = false): Promise<string | undefined> {
  if (!ready && !fresh) {
    const token = await knownToken();
    if (token !== undefined && !ready) return token ?? undefined;
  }
  return (await signedIn())?.getIdToken(fresh);
}

/** Returns what the ID token of whoever is signed in says. The API has the last word. */
export async function claims(): Promise<Record<string, unknown>> {
  const [, said = ""] = (await bearer())?.split(".") ?? [];
  const bytes = atob(said.replaceAll("-", "+").replaceAll("_", "/"));
  const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  return text ? (JSON.parse(text) as Record<string, unknown>) : {};
}
