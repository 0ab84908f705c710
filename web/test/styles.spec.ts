import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";

const folder = new URL("../src/styles/", import.meta.url);

// What several style sheets may say of one class: pictures have a place before their own sheet is there.
const shared = new Set(["pictures"]);

test(
  "no two style sheets give a class its looks: a page loads them in any order",
  { tag: "@short" },
  () => {
    const sheets = new Map<string, string[]>();
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".css"))) {
      const text = readFileSync(new URL(name, folder), "utf8").replaceAll(/\/\*.*?\*\//gs, "");
      const classes = [...text.matchAll(/([^{}]+)\{/g)]
        .flatMap(([, selectors]) => selectors!.split(","))
        .flatMap((selector) => /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1] ?? []);
      for (const one of new Set(classes)) sheets.set(one, [...(sheets.get(one) ?? []), name]);
    }
    expect(sheets.size).toBeGreaterThan(100);
    expect([...sheets].filter(([one, names]) => names.length > 1 && !shared.has(one))).toEqual([]);
  },
);
