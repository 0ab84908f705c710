import type { FirebaseApp } from "firebase/app";
import { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } from "firebase/app-check";

/**
 * Begins App Check with a site key of reCAPTCHA Enterprise. Returns what gives a token of this
 * page.
 */
export function proof(app: FirebaseApp, key: string): () => Promise<string> {
  const check = initializeAppCheck(app, {
    provider: new ReCaptchaEnterpriseProvider(key),
    isTokenAutoRefreshEnabled: true,
  });
  return async () => (await getToken(check)).token;
}
