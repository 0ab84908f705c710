import i18next from "i18next";
import { guestWas } from "./cart";
import { firebase } from "./firebase";

// A guest whose account is gone has no cart to take along. Any other failure ends the sign-in, and
// not the guest.
const unknown = [
  "auth/user-token-expired",
  "auth/user-not-found",
  "auth/user-disabled",
  "auth/invalid-user-token",
];

/**
 * Signs in with an address and a password. The cart of a guest comes along, see cart.ts, unless the
 * guest is known no more.
 */
export async function signIn(email: string, password: string): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("firebase/auth")]);
  const guest = auth.currentUser?.isAnonymous
    ? await auth.currentUser.getIdToken(true).catch((failure: { code?: string }) => {
        if (!unknown.includes(failure.code ?? "")) throw failure;
        return undefined;
      })
    : undefined;
  // Before the sign-in: the page reads the cart as soon as the account is there.
  if (guest) guestWas.keep(guest);
  try {
    await sdk.signInWithEmailAndPassword(auth, email, password);
  } catch (failure) {
    if (guest) guestWas.forget();
    throw failure;
  }
}

/**
 * Makes an account. A guest keeps the account, with its uid, and gets an address and a password for
 * it.
 */
export async function signUp(email: string, password: string): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("firebase/auth")]);
  if (auth.currentUser?.isAnonymous) {
    await sdk.linkWithCredential(
      auth.currentUser,
      sdk.EmailAuthProvider.credential(email, password),
    );
    await auth.currentUser.getIdToken(true); // the old token says that this is a guest
  } else {
    await sdk.createUserWithEmailAndPassword(auth, email, password);
  }
  // The account is there without the letter: Settings send another.
  await confirmAddress().catch(() => undefined);
}

/** Sends a letter with a link that confirms the address of the account. */
export async function confirmAddress(): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("firebase/auth")]);
  auth.languageCode = i18next.language;
  await sdk.sendEmailVerification(auth.currentUser!);
}

/** Returns whether the address is confirmed by now. The ID token says so from then on. */
export async function addressConfirmed(): Promise<boolean> {
  const account = (await firebase()).auth.currentUser;
  if (!account) return false;
  const before = account.emailVerified;
  await account.reload();
  if (account.emailVerified && !before) await account.getIdToken(true);
  return account.emailVerified;
}

let looking: Promise<void> | undefined;

/**
 * Lets somebody look around without an account of their own. Calls at once make one guest; whoever
 * is signed in stays so.
 */
export function lookAround(): Promise<void> {
  return (looking ??= becomeGuest().finally(() => (looking = undefined)));
}

async function becomeGuest(): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("firebase/auth")]);
  await auth.authStateReady();
  if (!auth.currentUser) await sdk.signInAnonymously(auth);
}

/** Sends a letter with which the password can be changed. */
export async function forgot(email: string): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("firebase/auth")]);
  await sdk.sendPasswordResetEmail(auth, email);
}

/** Asks for the password again, for what needs a sign-in of the last minutes. */
export async function again(password: string): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("firebase/auth")]);
  const account = auth.currentUser!;
  await sdk.reauthenticateWithCredential(
    account,
    sdk.EmailAuthProvider.credential(account.email!, password),
  );
  await account.getIdToken(true);
}

/** Returns what a failure of Firebase Auth means to a person. */
export function doorSentence(failure: unknown): string {
  const code = failure instanceof Error && "code" in failure ? String(failure.code) : "";
  switch (code) {
    case "auth/invalid-credential":
    case "auth/wrong-password":
    case "auth/user-not-found":
    case "auth/invalid-login-credentials":
      return i18next.t("sign.wrong");
    case "auth/email-already-in-use":
    case "auth/credential-already-in-use":
      return i18next.t("sign.taken");
    case "auth/weak-password":
      return i18next.t("sign.weak");
    case "auth/invalid-email":
    case "auth/missing-email":
      return i18next.t("sign.badEmail");
    case "auth/too-many-requests":
      return i18next.t("sign.many");
    case "auth/network-request-failed":
      return i18next.t("state.network");
    default:
      return i18next.t("sign.failed");
  }
}
