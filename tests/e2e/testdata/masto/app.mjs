// How apps in tests get in, and wait.
import { createHash, randomBytes } from "node:crypto";
import { createOAuthAPIClient, createRestAPIClient } from "masto";

/** The address of the installation. */
export const url = process.env.HIBANA_URL;

const redirectUri = "https://app.example/cb";

/** Registers an app, lets it in as the person of an ID token, and returns it with its access token. */
export async function letIn(idToken, scope) {
  const rest = createRestAPIClient({ url });
  const app = await rest.v1.apps.create({ clientName: "Sparks", redirectUris: [redirectUri], scopes: scope });
  const verifier = randomBytes(32).toString("base64url");
  const answer = await fetch(`${url}/v1/authorizations`, {
    method: "POST",
    headers: { Authorization: `Bearer ${idToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      responseType: "code",
      clientId: app.clientId,
      redirectUri,
      scope,
      state: "a state",
      codeChallenge: createHash("sha256").update(verifier).digest("base64url"),
      codeChallengeMethod: "S256",
    }),
  });
  const { redirect } = await answer.json();
  const code = redirect && new URL(redirect).searchParams.get("code");
  if (!code) throw new Error(`the consent answered ${answer.status}`);
  const oauth = createOAuthAPIClient({ url });
  const token = await oauth.token.create({
    grantType: "authorization_code",
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    redirectUri,
    code,
    codeVerifier: verifier,
    scope,
  });
  const client = createRestAPIClient({ url, accessToken: token.accessToken });
  return { app, token, oauth, v1: client.v1, v2: client.v2 };
}

/** Waits until something is so, and returns it: derived documents follow by events. */
export async function until(what, is) {
  for (const end = Date.now() + 20_000; ; await new Promise((go) => setTimeout(go, 100))) {
    const got = await is();
    if (got) return got;
    if (Date.now() > end) throw new Error(`not so after 20 seconds: ${what}`);
  }
}

/** Waits for something that happens, 20 seconds at most. */
export function soon(what, happens) {
  let late;
  const end = new Promise((_, fail) => {
    late = setTimeout(() => fail(new Error(`not heard after 20 seconds: ${what}`)), 20_000);
  });
  return Promise.race([happens, end]).finally(() => clearTimeout(late));
}
