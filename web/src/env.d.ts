/// <reference types="vite/client" />

/** What a build may be told in the environment. */
interface ImportMetaEnv {
  /** The origin of the API, where it is another than that of the pages. */
  readonly VITE_API_URL?: string;
  /** The origin of files of tweets and profiles, where it is another than both: MEDIA_URL of the API. */
  readonly VITE_MEDIA_URL?: string;
  /** The site key of reCAPTCHA Enterprise for App Check. */
  readonly VITE_APP_CHECK_KEY?: string;
  /** With whose accounts people sign in besides e-mail: "google", "apple", or both with a comma. */
  readonly VITE_SIGN_IN?: string;
  /** "totp" where people may add a code of an authenticator app to their sign-in. */
  readonly VITE_SECOND_FACTOR?: string;
  /** The Firestore database, where it is another than "(default)". */
  readonly VITE_FIRESTORE_DATABASE?: string;
}
