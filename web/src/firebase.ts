import { initializeApp, type FirebaseApp } from "firebase/app";
import {
  browserLocalPersistence, connectAuthEmulator, indexedDBLocalPersistence, initializeAuth, inMemoryPersistence, type Auth,
} from "firebase/auth";
import { project, type Project } from "./project";

interface Firebase {
  app: FirebaseApp;
  auth: Auth;
  project: Project;
}

let begun: Promise<Firebase> | undefined;

/** Begins Firebase Auth, without the parts that this client has no use for. Firestore comes later, see live.ts. */
export function firebase(): Promise<Firebase> {
  begun ??= project().then((about) => {
    const { authEmulator, firestoreEmulator: _, ...options } = about;
    const app = initializeApp(options);
    const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence, inMemoryPersistence] });
    if (authEmulator) connectAuthEmulator(auth, `http://${authEmulator}`, { disableWarnings: true });
    return { app, auth, project: about };
  });
  begun.catch(() => (begun = undefined));
  return begun;
}

/** Returns the uid of whoever is signed in now. */
export const reader = async () => (await firebase()).auth.currentUser?.uid;

/** Returns the ID token of whoever is signed in, or a fresh one. */
export async function bearer(fresh = false): Promise<string | undefined> {
  const { auth } = await firebase();
  await auth.authStateReady();
  return auth.currentUser?.getIdToken(fresh);
}
