import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { atHome, follows, open, person, post } from "./people";

const limit = 200_000; // bytes of compressed scripts before the first tweets

test("the scripts before the first tweets weigh at most 200 kB", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await atHome(ann, (await post(ben, "The first to be seen")).id);
  const page = await open(browser, ann);
  const dist = process.env.HIBANA_DIST!;
  // When the first tweet was drawn, by the page's own clock.
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector("article[data-tweet]")) return;
      watch.disconnect();
      (window as unknown as { drawn: number }).drawn = performance.now();
    });
    watch.observe(document, { childList: true, subtree: true });
  });
  await page.goto("/");
  await expect(page.getByText("The first to be seen")).toBeVisible();
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource")
    .filter((one) => one.startTime < (window as unknown as { drawn: number }).drawn).map((one) => new URL(one.name).pathname).filter((path) => path.endsWith(".js")));
  expect(loaded.length).toBeGreaterThan(0);
  const sizes = loaded.map((path) => [path, gzipSync(readFileSync(join(dist, path)), { level: 9 }).length] as const);
  const sum = sizes.reduce((total, [, size]) => total + size, 0);
  const all = readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".js")).reduce((total, name) => total + gzipSync(readFileSync(join(dist, "assets", name)), { level: 9 }).length, 0);
  const paint = await page.evaluate(() => ({
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    shift: performance.getEntriesByType("layout-shift").length,
  }));
  console.log(`scripts before the first tweets: ${sum} bytes compressed in ${sizes.length} files, of ${all} in all; first contentful paint after ${Math.round(paint.first ?? 0)} ms`);
  console.log(sizes.toSorted(([, a], [, b]) => b - a).slice(0, 12).map(([path, size]) => `${size} ${path}`).join("\n"));
  expect(sum, sizes.map(([path, size]) => `${path} ${size}`).join("\n")).toBeLessThanOrEqual(limit);
});
