import { expect, type Page } from "@playwright/test";
import {
  administrator,
  atHome,
  call,
  follows,
  person,
  post,
  signedIn,
  test,
  until,
  type Person,
} from "./people";

const still = 0.05; // cumulative layout shift, as in shift.spec.ts
const near = 6; // pixels between where a skeleton begins and where its content does

/** Holds what a page reads, but for who is signed in. Returns what lets it go on. */
async function late(page: Page): Promise<() => void> {
  let held: (() => void)[] | undefined = [];
  await page.route("**/v1/**", (route) => {
    const { pathname } = new URL(route.request().url());
    if (route.request().method() !== "GET" || pathname === "/v1/users/me" || !held)
      return route.fallback();
    held.push(() => void route.fallback().catch(() => undefined));
    return undefined;
  });
  return () => {
    const all = held ?? [];
    held = undefined;
    all.forEach((go) => go());
  };
}

const shift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        new PerformanceObserver((list, all) => {
          for (const one of list.getEntries() as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
          })[])
            if (!one.hadRecentInput) sum += one.value;
          all.disconnect();
          done(sum);
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(sum), 300); // nothing moved
      }),
  );

async function topOf(page: Page, selector: string): Promise<number> {
  let top: number | undefined;
  const one = page.locator(`main ${selector}`).first();
  await expect.poll(async () => (top = (await one.boundingBox())?.y), selector).toBeDefined();
  return top!;
}

/** Sees to it that what waits is seen in the form and at the place of what comes. */
async function waits(page: Page, path: string, skeleton: string, content: string) {
  const release = await late(page);
  await page.goto(path);
  // The page itself is there, and not only what waits for its scripts.
  await expect(page.locator("main .top:not([aria-hidden])").first(), path).toBeInViewport();
  await expect(page.locator(`main ${skeleton}`).first(), path).toBeInViewport();
  const before = await topOf(page, skeleton);
  release();
  await expect(page.locator("main .skeleton"), path).toHaveCount(0);
  await expect(page.locator(`main ${content}`).first(), path).toBeInViewport();
  const [after, moved] = [await topOf(page, content), await shift(page)];
  expect.soft(moved, `${path} moves`).toBeLessThanOrEqual(still);
  expect.soft(Math.abs(after - before), `${path}: ${before} to ${after}`).toBeLessThanOrEqual(near);
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

/** What a mouse changes: the colors of an element, or a line, a light, a shadow. */
const look = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const of = (one: Element) => {
        const is = getComputedStyle(one);
        return [is.color, is.backgroundColor, is.borderColor, is.textDecorationLine, is.boxShadow];
      };
      return JSON.stringify([of(element), ...[...element.querySelectorAll("strong")].map(of)]);
    });

async function answers(page: Page, ...selectors: string[]) {
  for (const selector of selectors) {
    await page.mouse.move(2, 2);
    await expect(page.locator(selector).first()).toBeVisible();
    const before = await look(page, selector);
    await page.locator(selector).first().hover({ timeout: 5000 });
    await expect.poll(() => look(page, selector), `${selector} under a mouse`).not.toBe(before);
  }
}

async function world(): Promise<[Person, Person, { id: string }]> {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await follows(ben, ann);
  const tweet = await post(ben, "A lantern goes up");
  await post(ben, `Look @${ann.name}`);
  await call(ann, "POST", "/v1/lists", { title: "Friends of fire" });
  await call(ben, "POST", "/v1/conversations", { memberIds: [ann.id], text: "Come along" });
  await atHome(ann, tweet);
  await until(async () => (await call(ann, "GET", "/v1/notifications")).items.length > 1);
  return [ann, ben, tweet];
}

test("what waits has the form and the place of what comes", async ({ browser }) => {
  const [ann, ben, tweet] = await world();
  const keeper = await administrator();
  await call(keeper, "POST", "/v1/products", {
    name: "Lantern",
    price: { amount: 500, currency: "JPY" },
    stock: 3,
  });
  await call(ann, "POST", "/v1/reports", { tweetId: tweet.id, reason: "spam", text: "Look" });
  const page = await signedIn(browser, ann, { viewport: { width: 1280, height: 900 } });
  await page.route("**/v1/announcements*", (route) => route.fulfill({ json: { items: [] } }));
  for (const [path, skeleton, content] of [
    ["/", ".skeleton .face", "article .avatar"],
    [`/tweets/${tweet.id}`, ".as-thread .face", "article.big .avatar"],
    [`/users/${ben.id}`, ".as-profile .wide", ".cover"],
    ["/notifications", ".as-told .skeleton", "article.told"],
    ["/messages", ".as-talks .skeleton", ".conversationrow"],
    [`/explore?q=lantern`, ".skeleton .face", "article .avatar"],
    ["/settings/muted", "section .skeleton", "section .empty"],
    ["/shop", ".as-good", ".good"],
  ] as const)
    await waits(page, path, skeleton, content);
  const office = await signedIn(browser, keeper, { viewport: { width: 1280, height: 900 } });
  await waits(office, "/admin", ".settings .skeleton", ".settings article");
});

test("whatever can be pressed changes under a mouse, in light and in dark", async ({ browser }) => {
  const [ann] = await world();
  const page = await signedIn(browser, ann, { viewport: { width: 1280, height: 900 } });
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/");
    await answers(
      page,
      ".place:not([aria-current])",
      ".whoami",
      "nav ~ .button.main, .rail .button.main",
      ".inplaceline",
      "article.tweet",
      "article .act",
      "article header .muted.fixed",
      ".top .icon",
    );
  }
  await page.goto("/notifications");
  await answers(page, ".tabs > :not([aria-current])", "article.told");
  await page.goto("/messages");
  await answers(page, ".conversationrow > a");
  await page.goto("/lists");
  await answers(page, ".further", "section .button.main");
  await page.goto(`/users/${ann.id}/followers`);
  await answers(page, "main .person a.names", "main .person .button");
});
