import { expect, type Page } from "@playwright/test";
import { administrator, call, open, person, post, test } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

/** Adds a tag and a tweet to what waits, as the ranking of the next minute would. */
const rises = (page: Page, tag: string, tweetId: string) =>
  page.route("**/v1/admin/trends", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const uses = { useCount: 2, estimated: false, usualCount: 0 };
    if (![...answer.allowed, ...answer.refused].includes(tag))
      answer.waiting.push({ tag, content: tag, ...uses });
    answer.waiting.push({ tweetId, ...uses });
    await route.fulfill({ response, json: answer });
  });

test("an administrator decides on a phone what may be a trend, and takes it back", async ({
  browser,
}) => {
  const [ann, keeper] = [await person("Ann"), await administrator()];
  const tag = `glimmer${keeper.name}`.slice(0, 40);
  const tweet = await post(ann, `Look at #${tag}`);
  const page = await open(browser, keeper, "/", phone);
  await rises(page, tag, tweet.id);
  await page.goto("/admin/trends");
  await expect(page.locator(".tabs [aria-current=page]")).toBeInViewport();
  const waits = page.getByRole("region", { name: "Waiting for you" });
  const decided = page.getByRole("region", { name: "Decided tags" });
  await expect(waits.getByRole("link", { name: `#${tag}` })).toBeInViewport({ ratio: 1 });
  await fits(page);
  await waits.getByRole("button", { name: `Refuse: #${tag}` }).click();
  await expect(decided.getByRole("group", { name: `#${tag}` })).toContainText("Refused");
  await expect(waits.getByRole("link", { name: `#${tag}` })).toHaveCount(0);
  expect((await call(keeper, "GET", "/v1/admin/trends")).refused).toContain(tag);
  await waits.getByRole("button", { name: "Allow: A post" }).click();
  await expect(
    page.getByText("Decided. The lists follow after two minutes.").first(),
  ).toBeVisible();
  const back = decided.getByRole("button", { name: `Take back: #${tag}` });
  await back.click();
  await expect(decided.getByRole("group", { name: `#${tag}` })).toHaveCount(0);
  expect((await call(keeper, "GET", "/v1/admin/trends")).refused).not.toContain(tag);

  const review = page.getByRole("switch", { name: "Trends need review" });
  await review.click();
  await expect(review).toBeChecked();
  await expect.poll(async () => (await call(keeper, "GET", "/v1/admin/trends")).needed).toBe(true);
  await review.click();
  await expect(review).not.toBeChecked();
  await expect.poll(async () => (await call(keeper, "GET", "/v1/admin/trends")).needed).toBe(false);
});

test("the review of trends in Japanese, at 200 % and from right to left", async ({ browser }) => {
  const [ben, keeper] = [await person("Ben"), await administrator()];
  const tag = "とても長いタグ".repeat(6);
  const tweet = await post(ben, `#${tag}`);
  const page = await open(browser, keeper, "/", { locale: "ja-JP" });
  await rises(page, tag, tweet.id);
  await page.goto("/admin/trends");
  await expect(page.getByRole("button", { name: `許可: #${tag}` })).toBeInViewport({ ratio: 1 });
  for (const [width, height, dir] of [
    [640, 450, "ltr"],
    [360, 740, "rtl"],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
    await fits(page);
  }
});
