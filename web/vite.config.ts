import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { shell } from "./shell";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const client = here("../clients/typescript/src");

/**
 * Answers what Firebase Hosting answers at this address: what clients need to know about the
 * project. hibana dev says it in the environment, with the addresses of the emulators.
 */
function project(): Plugin {
  const about = {
    projectId: process.env.HIBANA_PROJECT ?? "demo-hibana",
    apiKey: "any",
    authEmulator: process.env.HIBANA_AUTH ?? "127.0.0.1:9099",
    firestoreEmulator: process.env.HIBANA_FIRESTORE ?? "127.0.0.1:8080",
  };
  return {
    name: "project",
    configureServer(server) {
      server.middlewares.use("/__/firebase/init.json", (_, answer) => {
        answer.setHeader("Content-Type", "application/json");
        answer.end(JSON.stringify(about));
      });
    },
  };
}

export default defineConfig({
  plugins: [project(), shell()],
  resolve: {
    alias: [
      { find: /^@hibana\/client$/, replacement: `${client}/index.ts` },
      { find: /^@hibana\/client\/filters$/, replacement: `${client}/filters.ts` },
      { find: /^@hibana\/client\/listen$/, replacement: `${client}/listen.ts` },
      { find: /^re2js$/, replacement: here("src/lib/noregex.ts") },
      // Preact in React's place: docs/adr/0081-preact.md.
      { find: /^react$/, replacement: "preact/compat" },
      { find: /^react-dom$/, replacement: "preact/compat" },
      { find: /^react-dom\/client$/, replacement: "preact/compat/client" },
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: "preact/jsx-runtime" },
    ],
    dedupe: ["openapi-fetch"], // the client's source stands in another folder, without packages of its own
  },
  server: {
    host: "127.0.0.1",
    port: Number(process.env.HIBANA_WEB_PORT ?? 5173),
    strictPort: true,
    proxy: {
      "/v1": process.env.HIBANA_API ?? "http://127.0.0.1:8000",
      "/media": process.env.HIBANA_API ?? "http://127.0.0.1:8000",
      // Public pages, and nothing of Vite's own, such as /@vite/client.
      "^/@\\w{3,20}(/([0-9a-f]{18}|feed\\.(rss|json)))?(\\?.*)?$": {
        target: process.env.HIBANA_API ?? "http://127.0.0.1:8000",
        // There is no worker here: a browser gets the client, and others, such as curl, the public page.
        bypass: (request) =>
          request.headers["sec-fetch-mode"] === "navigate" && !request.url?.includes("/feed.")
            ? "/index.html"
            : undefined,
      },
      // What apps for Mastodon ask for: hosting.mjs. The page /oauth/authorize is one of the client.
      "^/(api/v\\d/|oauth/(token|revoke|userinfo)(\\?|$)|\\.well-known/|nodeinfo/|(avatars|headers)/missing\\.png(\\?|$))":
        process.env.HIBANA_API ?? "http://127.0.0.1:8000",
      "^/(oembed|sitemap\\.xml|robots\\.txt)(\\?.*)?$":
        process.env.HIBANA_API ?? "http://127.0.0.1:8000",
    },
    fs: { allow: ["..", client] },
  },
  build: {
    // The oldest browsers that the pages are for: README.md, Browsers. All of 2024.
    target: ["chrome123", "edge123", "firefox128", "safari17.5"],
    sourcemap: true,
    assetsInlineLimit: 0,
    // Every page has both: in one file they are smaller.
    rolldownOptions: {
      // Packages say "use client", which means nothing here.
      onLog: (level, log, say) => log.code !== "MODULE_LEVEL_DIRECTIVE" && say(level, log),
      output: {
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"] },
            // Small files, of which each page needs some.
            {
              name: "names",
              test: /(posts|people|quiet|lists|explore)\/(keys|subjects)\.ts$|dates\.ts$/,
            },
          ],
        },
      },
    },
  },
});
