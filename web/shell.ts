import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";

const source = (name: string) => fileURLToPath(new URL(`./src/${name}.tsx`, import.meta.url));

// By the first part of an address, the page that public/theme.js begins to load.
const early = {
  "": "features/home/Home",
  explore: "features/explore/Explore",
  notifications: "features/notifications/Notifications",
  tweets: "features/posts/Thread",
  users: "features/people/Profile",
};

// What a usual visit has, besides what each page has: the worker fetches these at once. Anything
// else it keeps when a page first loads it.
const usual = [
  ...Object.values(early),
  "features/posts/Compose",
  "frame/Aside",
  "frame/Overlays",
  "frame/Rest",
].map(source);

// scripts adds to found a chunk and all that it imports.
function scripts(bundle: Rolldown.OutputBundle, name: string, found: Set<string>): Set<string> {
  const chunk = bundle[name];
  if (found.has(name) || chunk?.type !== "chunk") return found;
  found.add(name);
  for (const imported of chunk.imports) scripts(bundle, imported, found);
  return found;
}

const chunks = (bundle: Rolldown.OutputBundle) =>
  Object.values(bundle).filter((one) => one.type === "chunk");

/**
 * Writes the service worker, which keeps the shell: the page, and the scripts, styles and fonts
 * that the build names after their content. What the API answers is never kept by it.
 */
export function shell(): Plugin {
  return {
    name: "shell",
    apply: "build",
    // Tells theme.js which files each of the early pages needs besides those of every page.
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        if (!bundle) return html;
        const entry = chunks(bundle).find((chunk) => chunk.isEntry)!;
        const every = scripts(bundle, entry.fileName, new Set());
        const pages = Object.entries(early).map(([part, name]) => {
          const page = chunks(bundle).find((chunk) => chunk.facadeModuleId === source(name))!;
          const own = [...scripts(bundle, page.fileName, new Set())].filter(
            (one) => !every.has(one),
          );
          return [part, own.map((one) => `/${one}`)];
        });
        const said = JSON.stringify(Object.fromEntries(pages));
        return html.replace(`src="/theme.js"`, `$& data-pages='${said}'`);
      },
    },
    // After Vite, which removes chunks that hold styles alone.
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const files = new Set<string>();
        for (const page of usual)
          if (!chunks(bundle).some((chunk) => chunk.facadeModuleId === page))
            this.error(`no file of its own in the build: ${page}`);
        for (const chunk of chunks(bundle))
          if (chunk.isEntry || usual.includes(chunk.facadeModuleId ?? ""))
            scripts(bundle, chunk.fileName, files);
        for (const chunk of chunks(bundle))
          if (files.has(chunk.fileName))
            chunk.viteMetadata?.importedCss.forEach((style) => files.add(style));
        const kept = [
          "/",
          "/theme.js",
          "/icon.svg",
          "/manifest.webmanifest",
          ...[...files].sort().map((name) => `/${name}`),
        ];
        // Another build is another version, also where it changes only what is kept later.
        const version = createHash("sha256")
          .update(JSON.stringify([kept, Object.keys(bundle).sort()]))
          .digest("hex")
          .slice(0, 12);
        const worker = readFileSync(new URL("./src/worker.js", import.meta.url), "utf8")
          .replace('"VERSION"', JSON.stringify(version))
          .replace('["KEPT"]', JSON.stringify(kept));
        this.emitFile({ type: "asset", fileName: "worker.js", source: worker });
      },
    },
  };
}
