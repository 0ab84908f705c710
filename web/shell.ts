import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

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
        const files = Object.keys(bundle).filter(
          // The emoji are large, and the picker keeps them itself once it was opened.
          (name) => !/\.(map|json)$/.test(name) && name !== "index.html",
        );
        const kept = [
          "/",
          "/theme.js",
          "/icon.svg",
          "/manifest.webmanifest",
          ...files.sort().map((name) => `/${name}`),
        ];
        const version = createHash("sha256")
          .update(JSON.stringify(kept))
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
