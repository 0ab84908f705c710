import type { MultiFactorInfo, TotpSecret, User as Account } from "firebase/auth";
import { speech } from "../../lib/speech";
import { again, providerOf, tellOfSignIn, withCode, type Provider } from "./accounts";
import { firebase } from "../../lib/firebase";
import { project } from "../../lib/project";
import { tellStill } from "../../lib/push";

const ids = { google: "google.com", apple: "apple.com" } as const;
export const names = { google: "Google", apple: "Apple" } as const;

/** What an account signs in with, and whether a code of an app is asked for besides. */
export interface Ways {
  email: string | null;
  password: boolean;
  linked: Provider[];
  /** Whether the installation offers a second step. */
  secondFactor: boolean;
  totp?: MultiFactorInfo | undefined;
}

async function signedIn(): Promise<{ account: Account; sdk: typeof import("../../lib/auth") }> {
  const [{ auth }, sdk] = await Promise.all([firebase(), import("../../lib/auth")]);
  auth.languageCode = speech.language;
  return { account: auth.currentUser!, sdk };
}

/** Reads what the account signs in with, as Firebase Auth has it now. */
export async function ways(): Promise<Ways> {
  const { account, sdk } = await signedIn();
  await account.reload();
  const has = account.providerData.map(({ providerId }) => providerId);
  const offers = (await project()).secondFactor ?? import.meta.env.VITE_SECOND_FACTOR;
  return {
    email: account.email,
    password: has.includes("password"),
    linked: (["google", "apple"] as const).filter((name) => has.includes(ids[name])),
    secondFactor: offers === "totp",
    totp: sdk.multiFactor(account).enrolledFactors.find(({ factorId }) => factorId === "totp"),
  };
}

/** Shows that the account's owner is here: with the password, or in a popup of the provider. */
async function prove(password: string): Promise<void> {
  const { account, sdk } = await signedIn();
  const has = account.providerData.map(({ providerId }) => providerId);
  if (has.includes("password")) {
    await again(password);
  } else {
    const name = has.includes(ids.google) ? "google" : "apple";
    const provider = await providerOf(name);
    await withCode(() =>
      sdk.reauthenticateWithPopup(account, provider, sdk.browserPopupRedirectResolver),
    );
    await account.getIdToken(true);
  }
}

/** Sends a letter to a new address. The address changes when somebody opens its link. */
export async function changeEmail(email: string, password: string): Promise<void> {
  await prove(password);
  const { account, sdk } = await signedIn();
  await sdk.verifyBeforeUpdateEmail(account, email);
}

/** Changes the password, or adds one to an account without. The sessions of other devices end. */
export async function changePassword(fresh: string, password: string): Promise<void> {
  await prove(password);
  const { account, sdk } = await signedIn();
  await sdk.updatePassword(account, fresh);
  await account.getIdToken(true);
  await tellOfSignIn();
  await tellStill().catch(() => undefined); // the password holds without it, too
}

/** Adds the account of a provider as a way to sign in. */
export async function link(name: Provider): Promise<void> {
  const { account, sdk } = await signedIn();
  const provider = await providerOf(name);
  await sdk.linkWithPopup(account, provider, sdk.browserPopupRedirectResolver);
  await account.getIdToken(true);
}

/** Removes the account of a provider. The caller keeps the last way to sign in. */
export async function unlink(name: Provider): Promise<void> {
  const { account, sdk } = await signedIn();
  await sdk.unlink(account, ids[name]);
}

/** Begins a second step: returns the key for the app, and an address that opens the app. */
export async function beginSecond(
  password: string,
): Promise<{ secret: TotpSecret; key: string; url: string }> {
  await prove(password);
  const { account, sdk } = await signedIn();
  const session = await sdk.multiFactor(account).getSession();
  const secret = await sdk.TotpMultiFactorGenerator.generateSecret(session);
  const url = secret.generateQrCodeUrl(account.email ?? account.uid, "Hibana");
  return { secret, key: secret.secretKey, url };
}

/** Turns the second step on, with a code that the app shows. */
export async function confirmSecond(secret: TotpSecret, code: string): Promise<void> {
  const { account, sdk } = await signedIn();
  const shown = sdk.TotpMultiFactorGenerator.assertionForEnrollment(
    secret,
    code.replaceAll(/\D/g, ""),
  );
  await sdk.multiFactor(account).enroll(shown, "TOTP");
}

/** Turns the second step off. */
export async function endSecond(factor: MultiFactorInfo, password: string): Promise<void> {
  await prove(password);
  const { account, sdk } = await signedIn();
  await sdk.multiFactor(account).unenroll(factor);
}
