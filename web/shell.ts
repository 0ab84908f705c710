import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

// What a usual visit has, besides what each page has: the worker fetches these at once. Anything
// else it keeps when a page first loads it.
const usual = [
  "features/explore/Explore",
  "features/notifications/Notifications",
  "features/people/Profile",
  "features/posts/Compose",
  "features/posts/Thread",
  "frame/Aside",
  "frame/Overlays",
  "frame/Rest",
].map((name) => fileURLToPath(new URL(`./src/${name}.tsx`, import.meta.url)));

/**
 * Writes the service worker, which keeps the shell: the page, and the scripts, styles and fonts
 * that the build names after their content. What the API answers is never kept by it.
 */
export function shell(): Plugin {
  return {
    name: "shell",
    apply: "build",
    // After Vite, which removes chunks that hold styles alone.
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const files = new Set<string>();
        const take = (name: string) => {
          const chunk = bundle[name];
          if (files.has(name) || chunk?.type !== "chunk") return;
          files.add(name);
          chunk.imports.forEach(take);
          chunk.viteMetadata?.importedCss.forEach((style) => files.add(style));
        };
        const found = new Set<string>();
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== "chunk") continue;
          const page = chunk.facadeModuleId;
          if (chunk.isEntry || (page && usual.includes(page))) take(chunk.fileName);
          if (page) found.add(page);
        }
        const missing = usual.filter((page) => !found.has(page));
        if (missing.length > 0) this.error(`no part of their own in the build: ${missing.join()}`);
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
        const source = readFileSync(new URL("./src/worker.js", import.meta.url), "utf8")
          .replace('"VERSION"', JSON.stringify(version))
          .replace('["KEPT"]', JSON.stringify(kept));
        this.emitFile({ type: "asset", fileName: "worker.js", source });
      },
    },
  };
}
