import { expect, type Page } from "@playwright/test";
import { call, open, person, post, test } from "./people";

const soon = { timeout: 10_000 };

/** Makes the page believe that its window is in the background, or not any more. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "visibilityState", {
      configurable: true,
      get: () => (hidden ? "hidden" : "visible"),
    });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

test(
  "the counts of a tweet move while somebody looks at it, and a new reply waits behind a line",
  { tag: "@short" },
  async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    const tweet = await post(ann, "A lantern goes up");
    await post(ben, "The first reply", { replyTo: tweet.id });
    const page = await open(browser, ann, `/tweets/${tweet.id}`);
    await expect(page.getByText("The first reply")).toBeVisible();
    const big = page.locator(`article.big[data-tweet="${tweet.id}"]`);
    await expect(big.getByRole("button", { name: "Reply, 1 reply" })).toBeVisible();
    await call(ben, "PUT", `/v1/tweets/${tweet.id}/like`);
    await expect(big.getByRole("button", { name: /^\S+, 1 like$/i })).toBeVisible(soon);
    await expect(big.getByRole("button", { name: /^1 like$/i })).toBeVisible();

    // Her own like is counted once, also when its event comes.
    await big.getByRole("button", { name: /^\S+, 1 like$/i }).click();
    await expect(big.getByRole("button", { name: /, 2 likes$/i })).toBeVisible();
    await expect
      .poll(async () => (await call(undefined, "GET", `/v1/tweets/${tweet.id}`)).likeCount)
      .toBe(2);
    await page.waitForTimeout(1500);
    await expect(big.getByRole("button", { name: /, 2 likes$/i })).toBeVisible();

    await expect(page.getByRole("button", { name: /new repl/ })).toHaveCount(0);
    await post(ben, "The second reply", { replyTo: tweet.id });
    const line = page.getByRole("button", { name: "1 new reply" });
    await expect(line).toBeVisible(soon);
    await expect(page.getByText("The second reply")).toHaveCount(0);
    await line.click();
    await expect(page.getByText("The second reply")).toBeInViewport();
    await expect(line).toHaveCount(0);

    // What she writes here stands there at once, and is no news when its event comes.
    await big.getByRole("button", { name: /^Reply, / }).click();
    await page.getByRole("dialog").getByRole("textbox").first().fill("The third is hers");
    await page.getByRole("button", { name: "Post", exact: true }).last().click();
    await expect(page.getByRole("article").getByText("The third is hers")).toBeVisible();
    await expect
      .poll(async () => (await call(undefined, "GET", `/v1/tweets/${tweet.id}`)).replyCount)
      .toBe(3);
    await page.waitForTimeout(1500);
    await expect(page.getByRole("button", { name: /new repl/ })).toHaveCount(0);
  },
);

test("a thread in the background listens to nothing, and catches up", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const tweet = await post(ann, "A lantern goes up");
  const page = await open(browser, ann, `/tweets/${tweet.id}`);
  const big = page.locator(`article.big[data-tweet="${tweet.id}"]`);
  await expect(big).toBeVisible();
  await call(ben, "PUT", `/v1/tweets/${tweet.id}/like`);
  await expect(big.getByRole("button", { name: /, 1 like$/i })).toBeVisible(soon);
  await hide(page, true);
  await call(ben, "PUT", `/v1/tweets/${tweet.id}/share`);
  await expect
    .poll(async () => (await call(undefined, "GET", `/v1/tweets/${tweet.id}`)).shareCount)
    .toBe(1);
  await page.waitForTimeout(1500);
  await expect(big.getByRole("button", { name: /^Share, 0/ })).toBeVisible();
  await hide(page, false);
  await expect(big.getByRole("button", { name: /^Share, 1/ })).toBeVisible(soon);
});
