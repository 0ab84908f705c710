// An app in a page, by masto.js: it knows the address of the installation alone, and keeps its token in its own tab.
import { createOAuthAPIClient, createRestAPIClient } from "masto";

const redirectUri = `${location.origin}/`;
const scope = "read write";
const query = new URLSearchParams(location.search);
if (query.has("server")) sessionStorage.setItem("server", query.get("server"));
const url = sessionStorage.getItem("server");

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Registers the app, and leads to the page that asks the person. */
async function signIn() {
  const rest = createRestAPIClient({ url });
  const app = await rest.v1.apps.create({ clientName: "Sparks by masto.js", redirectUris: [redirectUri], scopes: scope });
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const state = base64url(crypto.getRandomValues(new Uint8Array(16)));
  sessionStorage.setItem("asked", JSON.stringify({ app, verifier, state }));
  const challenge = base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
  location.assign(
    `${url}/oauth/authorize?${new URLSearchParams({
      response_type: "code",
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
    })}`,
  );
}

/** Exchanges the code with which the person came back. */
async function comeIn() {
  const { app, verifier, state } = JSON.parse(sessionStorage.getItem("asked"));
  if (query.get("state") !== state) throw new Error("another state");
  const token = await createOAuthAPIClient({ url }).token.create({
    grantType: "authorization_code",
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    redirectUri,
    code: query.get("code"),
    codeVerifier: verifier,
  });
  sessionStorage.setItem("token", token.accessToken);
  history.replaceState(undefined, "", "/");
}

const element = (name, more) => Object.assign(document.createElement(name), more);
const says = element("p", { role: "status" });
const posts = element("ul");

/** Does something, and says how that ended. */
const done = (what, act) => async () => {
  says.textContent = "";
  try {
    await act();
    says.textContent = `${what}: done`;
  } catch (error) {
    says.textContent = `${what}: ${error.statusCode ?? ""} ${error.message}`;
  }
};

const button = (text, act) => element("button", { textContent: text, onclick: done(text, act) });
const me = () => createRestAPIClient({ url, accessToken: sessionStorage.getItem("token") });

if (query.has("code")) await done("Come in", comeIn)();
if (sessionStorage.getItem("token")) {
  const text = element("textarea", { ariaLabel: "Text" });
  const post = button("Post", async () => {
    const key = { requestInit: { headers: { "Idempotency-Key": crypto.randomUUID() } } };
    await me().v1.statuses.create({ status: text.value }, key);
  });
  const home = button("Home", async () => {
    posts.replaceChildren();
    // Two pages: the second one is known by the header Link of the first alone.
    let pages = 0;
    for await (const page of me().v1.timelines.home.list({ limit: 1 })) {
      for (const { content, account } of page) posts.append(element("li", { innerHTML: `@${account.acct}: ${content}` }));
      if (++pages === 2) break;
    }
  });
  document.body.append(text, post, home, says, posts);
} else {
  document.body.append(button("Sign in", signIn), says);
}
