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
  const loaded: string[] = [];
  page.on("response", (answer) => {
    const path = new URL(answer.url()).pathname;
    if (path.endsWith(".js")) loaded.push(path);
  });
  await page.goto("/");
  await expect(page.getByText("The first to be seen")).toBeVisible();
  const sizes = loaded.map((path) => [path, gzipSync(readFileSync(join(dist, path)), { level: 9 }).length] as const);
  const sum = sizes.reduce((total, [, size]) => total + size, 0);
  const all = readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".js")).reduce((total, name) => total + gzipSync(readFileSync(join(dist, "assets", name)), { level: 9 }).length, 0);
  const paint = await page.evaluate(() => ({
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    shift: performance.getEntriesByType("layout-shift").length,
  }));
  console.log(`scripts before the first tweets: ${sum} bytes compressed in ${sizes.length} files, of ${all} in all; first contentful paint after ${Math.round(paint.first ?? 0)} ms`);
  expect(sum, sizes.map(([path, size]) => `${path} ${size}`).join("\n")).toBeLessThanOrEqual(limit);
});
