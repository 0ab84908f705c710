import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, type Page } from "@playwright/test";
import {
  administrator,
  atHome,
  follows,
  fresh,
  kept,
  person,
  post,
  signedIn,
  test,
} from "./people";

const limit = 110_000; // bytes of compressed scripts before the first tweets, or what a page has else
const inAll = 285_000; // bytes of all that a page loads until nothing more comes
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
  await expect
    .poll(async () => (await scripts(page, Infinity)).join(), how)
    .toMatch(/\bfirestore-/);
  const moved = await shifts(page);
  console.log(`${how}: cumulative layout shift ${moved.toFixed(3)}`);
  expect(moved, how).toBeLessThanOrEqual(still);
}

test("the scripts before the first tweets weigh at most 110 kB, also where a browser, its network or its storage is slow or fast", async ({
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

// What each page shows first, besides what stands around it; its title where its content differs.
const pages: [path: (tweet: string, user: string) => string, first: string][] = [
  [() => "/", "article[data-tweet]"],
  [() => "/explore", "article[data-tweet]"],
  [(tweet) => `/tweets/${tweet}`, "article[data-tweet]"],
  [(tweet) => `/tweets/${tweet}/quotes`, ".empty"],
  [(_, user) => `/users/${user}`, "article[data-tweet]"],
  [(_, user) => `/users/${user}/followers`, ".empty, main a[href^='/@'] strong"],
  [(_, user) => `/users/${user}/lists`, ".empty"],
  [() => "/notifications", "main h1"],
  [() => "/notifications/requests", ".empty"],
  [() => "/messages", "main h1"],
  [() => "/lists", "main h1"],
  [() => "/drafts", ".empty"],
  [() => "/held", ".empty"],
  [() => "/bookmarks", ".empty"],
  [() => "/people/find", "main h1"],
  [() => "/tags/fire", "article[data-tweet]"],
  [() => "/shop", "main h1"],
  [() => "/cart", ".empty"],
  [() => "/orders", ".empty"],
  [() => "/settings", ".settings section"],
  [() => "/settings/filters", "main h1"],
  [() => "/about", "main h1"],
  [() => "/admin", "main h1"],
  [() => "/no/such/page", ".empty"],
];
const doors = ["/", "/sign-in", "/sign-up"];
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

// first waits until the page has what a selector names and no row that still waits, and returns
// when that was, by the page's own clock.
async function first(page: Page, path: string, selector: string): Promise<number> {
  await page.addInitScript((selector) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector(selector) || document.querySelector("main .skeleton")) return;
      watch.disconnect();
      (window as unknown as { first: number }).first = performance.now();
    });
    watch.observe(document, { childList: true, subtree: true });
  }, selector);
  await page.goto(path);
  const drawn = await page.waitForFunction(
    () => (window as unknown as { first?: number }).first,
    undefined,
    { timeout: 90_000 },
  );
  return (await drawn.jsonValue()) as number;
}

// settled waits until a page has asked for no script for a while, and returns all of them.
async function settled(page: Page): Promise<string[]> {
  let before = -1;
  await expect
    .poll(
      async () => {
        const now = (await scripts(page, Infinity)).length;
        const same = now === before;
        before = now;
        return same;
      },
      { intervals: [1500] },
    )
    .toBe(true);
  return scripts(page, Infinity);
}

for (const how of ["signed in", "signed in, on a phone", "signed out"] as const)
  test(`no page, ${how}, has more than 110 kB of scripts before what it shows first`, async ({
    browser,
  }) => {
    test.setTimeout(600_000); // two dozen pages, each until it is still
    const [keeper, ben] = [await administrator(), await person("Ben")];
    const tweet = await post(ben, "Weighed #fire");
    await follows(keeper, ben);
    await atHome(keeper, tweet);
    const out = how === "signed out";
    const options = how === "signed in, on a phone" ? phone : {};
    const rows: (readonly [string, string])[] = [
      ...(out ? doors.map((path) => [path, "form"] as const) : []),
      // A phone loads the same scripts: some pages show it.
      ...(how === "signed in, on a phone" ? pages.slice(0, 5) : pages).map(
        ([path, shown]) => [path(tweet.id, ben.id), shown] as const,
      ),
    ].filter(([path, shown]) => !out || shown === "form" || open.test(path));
    const heavy: string[] = [];
    for (const [path, shown] of rows) {
      const page = out ? await fresh(browser, options) : await signedIn(browser, keeper, options);
      const before = total(await scripts(page, await first(page, path, shown)));
      const all = total(await settled(page));
      const said = `${path}: ${before} bytes first, ${all} in all`;
      console.log(`${how}: ${said}`);
      expect(before, path).toBeGreaterThan(0);
      if (before > limit || all > inAll) heavy.push(said);
      await page.context().close();
    }
    expect(heavy, how).toEqual([]);
  });

// What somebody who is signed out may read.
const open = /^\/(explore|tweets\/\w+|users\/\w+|tags\/fire|shop|cart|settings|about)$/;

test("how long the first tweet takes on a slow device", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await atHome(ann, await post(ben, "Soon to be seen"));
  const page = await signedIn(browser, ann);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  for (const state of ["cold", "warm"]) {
    const drawn = await first(page, "/", "article[data-tweet]");
    console.log(`the first tweet at a 4 times slower processor, ${state}: ${Math.round(drawn)} ms`);
    await settled(page);
  }
});
