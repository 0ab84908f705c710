import "../../i18n/account";
import type { UserCredential } from "firebase/auth";
import { accounts, elsewhere } from "../../lib/accounts";
import { speech } from "../../lib/speech";
import { hibana } from "../../lib/api";
import { guestWas } from "../shop/guest";
import { firebase } from "../../lib/firebase";
import { project } from "../../lib/project";
import { yieldTo } from "../../lib/session";

// A guest whose account is gone has no cart to take along. Any other failure ends the sign-in, and
// not the guest.
const unknown = [
  "auth/user-token-expired",
  "auth/user-not-found",
  "auth/user-disabled",
  "auth/invalid-user-token",
];

/** Whose accounts people may sign in with, besides an address and a password. */
export type Provider = "google" | "apple";

/** Returns the providers that this installation offers. */
export async function providers(): Promise<Provider[]> {
  const names = (await project()).signIn ?? import.meta.env.VITE_SIGN_IN ?? "";
  return (["google", "apple"] as const).filter((name) => names.split(",").includes(name));
}

/** Tells the API of a sign-in, for the list in the settings. The sign-in holds without it, too. */
export async function tellOfSignIn(): Promise<void> {
  await hibana.PUT("/v1/users/me/sign-in", {}).catch(() => undefined);
}

/**
 * Does what signs somebody in, and asks for the code of an authenticator app where the account has
 * one.
 */
export async function withCode(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (failure) {
    if ((failure as { code?: string }).code !== "auth/multi-factor-auth-required") throw failure;
    const [{ auth }, sdk] = await Promise.all([firebase(), import("../../lib/auth")]);
    const resolver = sdk.getMultiFactorResolver(
      auth,
      failure as Parameters<typeof sdk.getMultiFactorResolver>[1],
    );
    const totp = resolver.hints.find(({ factorId }) => factorId === "totp");
    const code = totp && prompt(speech.t("account:second.code"));
    if (!code) throw failure;
    await resolver.resolveSignIn(
      sdk.TotpMultiFactorGenerator.assertionForSignIn(totp.uid, code.replaceAll(/\D/g, "")),
    );
  }
}

const redirectKey = "hibana.redirect";

/** Returns the provider of Firebase Auth with a name. */
export async function providerOf(name: Provider) {
  const sdk = await import("../../lib/auth");
  if (name === "google") {
    const google = new sdk.GoogleAuthProvider();
    // Google else takes the account that it took the last time.
    if (accounts().length > 0) google.setCustomParameters({ prompt: "select_account" });
    return google;
  }
  const apple = new sdk.OAuthProvider("apple.com");
  apple.addScope("email");
  return apple;
}

/**
 * Signs in with an account of a provider, in a popup; where the browser opens none, the whole page
 * goes there and comes back, see [returned].
 */
export async function signInWith(name: Provider): Promise<void> {
  const [{ auth }, sdk, provider] = await Promise.all([
    firebase(),
    import("../../lib/auth"),
    providerOf(name),
  ]);
  auth.languageCode = speech.language;
  await enter(async () => {
    try {
      await sdk.signInWithPopup(auth, provider, sdk.browserPopupRedirectResolver);
    } catch (failure) {
      const { code = "" } = failure as { code?: string };
      if (
        code !== "auth/popup-blocked" &&
        code !== "auth/operation-not-supported-in-this-environment"
      )
        throw failure;
      sessionStorage.setItem(redirectKey, "1");
      await sdk.signInWithRedirect(auth, provider, sdk.browserPopupRedirectResolver);
    }
  });
}

/** Ends a sign-in for which the page went to a provider. Without one it does nothing. */
export async function returned(): Promise<void> {
  if (!sessionStorage.getItem(redirectKey)) return;
  sessionStorage.removeItem(redirectKey);
  const [{ auth }, sdk] = await Promise.all([firebase(), import("../../lib/auth")]);
  let was: UserCredential | null = null;
  await withCode(
    async () => (was = await sdk.getRedirectResult(auth, sdk.browserPopupRedirectResolver)),
  );
  if (was && !(await isTwin())) await tellOfSignIn();
}

// isTwin ends a sign-in to an account that is signed in under another app already, and goes there.
async function isTwin(): Promise<boolean> {
  const { auth } = await firebase();
  const uid = auth.currentUser?.uid;
  if (!uid || !elsewhere(uid)) return false;
  const { app } = accounts().find((one) => one.uid === uid)!;
  await yieldTo(app);
  return true;
}

/**
 * Signs in with an address and a password. The cart of a guest comes along, see cart.ts, unless the
 * guest is known no more.
 */
export async function signIn(email: string, password: string): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("../../lib/auth")]);
  await enter(() => sdk.signInWithEmailAndPassword(auth, email, password));
}

async function enter(act: () => Promise<unknown>): Promise<void> {
  const { auth } = await firebase();
  const guest = auth.currentUser?.isAnonymous
    ? await auth.currentUser.getIdToken(true).catch((failure: { code?: string }) => {
        if (!unknown.includes(failure.code ?? "")) throw failure;
        return undefined;
      })
    : undefined;
  // Before the sign-in: the page reads the cart as soon as the account is there.
  if (guest) guestWas.keep(guest);
  try {
    await withCode(act);
  } catch (failure) {
    if (guest) guestWas.forget();
    throw failure;
  }
  if (!(await isTwin())) void tellOfSignIn();
}

/**
 * Makes an account. A guest keeps the account, with its uid, and gets an address and a password for
 * it.
 */
export async function signUp(email: string, password: string): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("../../lib/auth")]);
  if (auth.currentUser?.isAnonymous) {
    await sdk.linkWithCredential(
      auth.currentUser,
      sdk.EmailAuthProvider.credential(email, password),
    );
    await auth.currentUser.getIdToken(true); // the old token says that this is a guest
  } else {
    await sdk.createUserWithEmailAndPassword(auth, email, password);
  }
  void tellOfSignIn();
  // The account is there without the letter: Settings send another.
  await confirmAddress().catch(() => undefined);
}

/** Sends a letter with a link that confirms the address of the account. */
export async function confirmAddress(): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("../../lib/auth")]);
  auth.languageCode = speech.language;
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
  const [{ auth }, sdk] = await Promise.all([firebase(), import("../../lib/auth")]);
  await auth.authStateReady();
  if (!auth.currentUser) await sdk.signInAnonymously(auth);
}

/** Sends a letter with which the password can be changed. */
export async function forgot(email: string): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("../../lib/auth")]);
  await sdk.sendPasswordResetEmail(auth, email);
}

/** Asks for the password again, for what needs a sign-in of the last minutes. */
export async function again(password: string): Promise<void> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("../../lib/auth")]);
  const account = auth.currentUser!;
  await withCode(() =>
    sdk.reauthenticateWithCredential(
      account,
      sdk.EmailAuthProvider.credential(account.email!, password),
    ),
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
      return speech.t("sign.wrong");
    case "auth/account-exists-with-different-credential":
      return speech.t("account:error.other");
    case "auth/popup-closed-by-user":
    case "auth/cancelled-popup-request":
    case "auth/user-cancelled":
      return speech.t("account:error.closed");
    case "auth/invalid-verification-code":
    case "auth/multi-factor-auth-required":
      return speech.t("account:error.code");
    case "auth/unverified-email":
      return speech.t("account:error.unconfirmed");
    case "auth/requires-recent-login":
      return speech.t("account:error.recent");
    case "auth/credential-already-in-use":
      return speech.t("account:error.linked");
    case "auth/email-already-in-use":
      return speech.t("sign.taken");
    case "auth/weak-password":
      return speech.t("sign.weak");
    case "auth/invalid-email":
    case "auth/missing-email":
      return speech.t("sign.badEmail");
    case "auth/too-many-requests":
      return speech.t("sign.many");
    case "auth/network-request-failed":
      return speech.t("state.network");
    default:
      return speech.t("sign.failed");
  }
}
