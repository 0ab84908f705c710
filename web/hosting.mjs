// Writes hosting.json, with which firebase-tools deploys the built client: the hosting of
// ../firebase.json, whose pages may also connect to the API, and to reCAPTCHA Enterprise where App
// Check asks for its tokens. The build reads the same variables.
//
//   VITE_API_URL=https://hibana-api-….run.app [VITE_APP_CHECK_KEY=…] [VITE_SIGN_IN=… PROJECT=…] [REGION=…] [FEDERATION=on] node hosting.mjs
import { readFileSync, writeFileSync } from "node:fs";

const api = process.env.VITE_API_URL ?? "";
if (!/^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(api)) {
  console.error(
    `VITE_API_URL is ${JSON.stringify(api)}: name the origin of the API, such as https://hibana-api-123456789.asia-northeast1.run.app`,
  );
  process.exit(2);
}
// What docs of reCAPTCHA ask for: its script, which loads another, a frame, and its own calls.
const captcha = process.env.VITE_APP_CHECK_KEY
  ? {
      "script-src": " https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/",
      "connect-src": " https://www.google.com/recaptcha/",
      "frame-src": "https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/",
    }
  : {};
// With VITE_SIGN_IN, Firebase Auth loads a script of Google, and a frame of the project's domain.
const popups = process.env.VITE_SIGN_IN
  ? {
      "script-src": " https://apis.google.com",
      "frame-src": `https://${process.env.AUTH_DOMAIN || `${process.env.PROJECT}.firebaseapp.com`} `,
    }
  : {};
if (process.env.VITE_SIGN_IN && !process.env.AUTH_DOMAIN && !process.env.PROJECT) {
  console.error(
    "VITE_SIGN_IN needs AUTH_DOMAIN, or PROJECT, whose domain is PROJECT.firebaseapp.com",
  );
  process.exit(2);
}
const frames = `${popups["frame-src"] ?? ""}${captcha["frame-src"] ?? ""}`.trim();

const { hosting } = JSON.parse(readFileSync(new URL("../firebase.json", import.meta.url), "utf8"));
for (const { headers } of hosting.headers) {
  for (const header of headers) {
    if (header.key !== "Content-Security-Policy") continue;
    header.value = header.value
      .replace("connect-src 'self'", `connect-src 'self' ${api}${captcha["connect-src"] ?? ""}`)
      .replace(
        "script-src 'self'",
        `script-src 'self'${popups["script-src"] ?? ""}${captcha["script-src"] ?? ""}`,
      );
    if (frames) header.value += `; frame-src ${frames}`;
  }
}
const pictures = [
  "/avatars/original/missing.png",
  "/headers/original/missing.png",
  // as earlier versions named them
  "/avatars/missing.png",
  "/headers/missing.png",
];
// With APPS=on, apps for Mastodon find the API at the address of the pages, and not only at its own. All of them share
// the limits of addresses then, see docs/operate/limits.md. The page /oauth/authorize is one of the client.
const apps = [
  "/api/**",
  "/oauth/token",
  "/oauth/revoke",
  "/oauth/userinfo",
  "/.well-known/oauth-authorization-server",
  "/.well-known/nodeinfo",
  "/nodeinfo/**",
];
// Servers of the fediverse find people and posts at the addresses of the pages.
const federation = [
  "/.well-known/webfinger",
  "/.well-known/host-meta",
  "/.well-known/host-meta.json",
  "/.well-known/nodeinfo",
  "/nodeinfo/**",
  "/actor",
  "/inbox",
  "/posts/**",
  "/users/**",
];
const federates = process.env.FEDERATION && process.env.FEDERATION !== "off";
const answered = [
  ...new Set([
    ...pictures,
    ...(process.env.APPS === "on" ? apps : []),
    ...(federates ? federation : []),
  ]),
];
const { run } = hosting.rewrites.find((rewrite) => rewrite.run);
hosting.rewrites.splice(-1, 0, ...answered.map((source) => ({ source, run: { ...run } })));
// The API sets the headers of what it answers.
for (const headers of hosting.headers) {
  if (headers.source.startsWith("!/{")) {
    headers.source = headers.source.replace(
      /}$/,
      `,${answered.map((source) => source.slice(1)).join(",")}}`,
    );
  }
}
// Hosting sends requests of media and public pages to the service of the region in which it is.
for (const { run } of hosting.rewrites) {
  if (run) run.region = process.env.REGION || run.region;
}
hosting.public = "dist";
const to = process.argv[2] ?? new URL("hosting.json", import.meta.url);
writeFileSync(to, JSON.stringify({ hosting }, null, 2) + "\n");
