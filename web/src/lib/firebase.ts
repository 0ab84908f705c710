import { initializeApp, type FirebaseApp } from "firebase/app";
import {
  browserLocalPersistence,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  inMemoryPersistence,
  type Auth,
} from "firebase/auth";
import { project, type Project } from "./project";

interface Firebase {
  app: FirebaseApp;
  auth: Auth;
  project: Project;
  /** Gives an App Check token, where the project asks for one. */
  prove?: () => Promise<string>;
}

let begun: Promise<Firebase> | undefined;

/**
 * Begins Firebase Auth, without the parts that this client has no use for. Firestore comes later,
 * see live.ts.
 */
export function firebase(): Promise<Firebase> {
  begun ??= project().then(async (about) => {
    const {
      authEmulator,
      firestoreEmulator: _,
      appCheckKey = import.meta.env.VITE_APP_CHECK_KEY,
      ...options
    } = about;
    const app = initializeApp(options);
    // Before anything asks Firebase: its other parts then send the token, too.
    const prove = appCheckKey ? (await import("./appcheck")).proof(app, appCheckKey) : undefined;
    const auth = initializeAuth(app, {
      persistence: [indexedDBLocalPersistence, browserLocalPersistence, inMemoryPersistence],
    });
    if (authEmulator)
      connectAuthEmulator(auth, `http://${authEmulator}`, { disableWarnings: true });
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
  const { prove } = await firebase();
  return prove?.().catch(() => undefined);
}

/**
 * Signs out if an Authorization header that was refused has the token of this page's session: it
 * was ended elsewhere.
 */
export async function ended(header: string | null): Promise<void> {
  const { auth } = await firebase();
  if (header === `Bearer ${await auth.currentUser?.getIdToken()}`) await auth.signOut();
}

/** Returns the uid of whoever is signed in now. */
export const reader = async () => (await firebase()).auth.currentUser?.uid;

/** Returns the ID token of whoever is signed in, or a fresh one. */
export async function bearer(fresh = false): Promise<string | undefined> {
  const { auth } = await firebase();
  await auth.authStateReady();
  return auth.currentUser?.getIdToken(fresh);
}
