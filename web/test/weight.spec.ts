import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, type Page } from "@playwright/test";
import { atHome, follows, kept, person, post, signedIn, test } from "./people";

const limit = 200_000; // bytes of compressed scripts before the first tweets
const still = 0.1; // cumulative layout shift of a page that is good by web.dev/articles/cls

const assets = join(process.env.HIBANA_DIST!, "assets");
const size = (name: string) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length;
const total = (names: string[]) => names.reduce((sum, name) => sum + size(name), 0);

// scripts returns which of the page's scripts were asked for before a time of its clock.
const scripts = (page: Page, before: number) =>
  page.evaluate(
    (before) =>
      performance
        .getEntriesByType("resource")
        .filter((one) => one.startTime < before && one.name.endsWith(".js"))
        .map((one) => new URL(one.name).pathname)
        .filter((path) => path.startsWith("/assets/"))
        .map((path) => path.slice("/assets/".length)),
    before,
  );

// shifts sums up how far things moved on the page by themselves.
const shifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) =>
          done(
            (list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
              .filter((one) => !one.hadRecentInput)
              .reduce((sum, one) => sum + one.value, 0),
          ),
        ).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(0), 1000); // nothing moved
      }),
  );

// weigh opens an address, and weighs the scripts that were asked for before the first tweet was
// drawn.
async function weigh(page: Page, path: string, how: string) {
  await page.goto(path);
  const drawn = (await (
    await page.waitForFunction(() => (window as unknown as { drawn?: number }).drawn, undefined, {
      timeout: 90_000,
    })
  ).jsonValue()) as number;
  const loaded = await scripts(page, drawn);
  expect(loaded.length, how).toBeGreaterThan(0);
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  );
  console.log(
    `${how}: ${total(loaded)} bytes of compressed scripts in ${loaded.length} files before the first tweets, after ${Math.round(drawn)} ms; first contentful paint after ${Math.round(paint)} ms`,
  );
  expect(
    total(loaded),
    `${how}\n${loaded.map((name) => `${size(name)} ${name}`).join("\n")}`,
  ).toBeLessThanOrEqual(limit);
  // What could wait comes then.
  await expect.poll(async () => total(await scripts(page, Infinity)), how).toBeGreaterThan(limit);
  const moved = await shifts(page);
  console.log(`${how}: cumulative layout shift ${moved.toFixed(3)}`);
  expect(moved, how).toBeLessThanOrEqual(still);
}

test("the scripts before the first tweets weigh at most 200 kB, also where a browser, its network or its storage is slow or fast", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const tweet = await post(ben, "The first to be seen");
  await atHome(ann, tweet);
  const page = await signedIn(browser, ann);
  // Announcements of other tests, which stand above home and come late, are not measured.
  await page.route("**/v1/announcements*", (route) => route.fulfill({ json: { items: [] } }));
  // When the first tweet was drawn, by the page's own clock.
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector("article[data-tweet]")) return;
      watch.disconnect();
      (window as unknown as { drawn: number }).drawn = performance.now();
    });
    watch.observe(document, { childList: true, subtree: true });
  });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.route(
    "**/v1/timeline*",
    async (route) => {
      await new Promise((done) => setTimeout(done, 6000));
      await route.continue();
    },
    { times: 1 },
  );
  await weigh(page, "/", "home from a slow network");
  // Home is kept within a second, and stands there at once the next time.
  await kept(page, "The first to be seen");
  await weigh(page, "/", "home as the browser kept it");
  await weigh(page, `/tweets/${tweet.id}`, "a tweet by its address");
  const all = readdirSync(assets).filter((name) => name.endsWith(".js"));
  console.log(`all scripts: ${total(all)} bytes compressed in ${all.length} files`);
});
