import { expect } from "@playwright/test";
import { call, open, person, post, test } from "./people";

test(
  "the back button closes a window, and only then leaves the page",
  { tag: "@short" },
  async ({ browser }) => {
    const ann = await person("Ann");
    const page = await open(browser, ann);
    await page.getByRole("link", { name: "Explore" }).first().click();
    await expect(page).toHaveURL(/explore$/);
    const dialog = page.getByRole("dialog");
    await expect(page.getByRole("heading", { name: "Explore", level: 1 })).toBeVisible();

    await page.keyboard.press("c");
    await dialog.getByRole("textbox").first().fill("Half a thought");
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(/explore$/);

    // A window that is closed otherwise leaves nothing behind to go back through.
    for (let n = 0; n < 2; n++) {
      await page.keyboard.press("?");
      await expect(dialog).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
      await expect.poll(() => page.evaluate(() => history.state as unknown)).toBeNull();
    }
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
    await page.goForward();
    await expect(page).toHaveURL(/explore$/);
    await expect(dialog).toHaveCount(0);

    // What was half written is there again.
    await page.keyboard.press("c");
    await expect(dialog.getByRole("textbox").first()).toHaveValue("Half a thought");
  },
);

test("a link in a window leads to its page, and back to the page below the window", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const tweet = await post(ann, "A lantern goes up");
  await call(ben, "PUT", `/v1/tweets/${tweet.id}/like`);
  await expect
    .poll(async () => (await call(undefined, "GET", `/v1/tweets/${tweet.id}`)).likeCount)
    .toBe(1);
  const page = await open(browser, ann);
  await page.goto(`/tweets/${tweet.id}`);
  await page.getByRole("button", { name: /^1 like$/i }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("link", { name: /Ben/ }).first().click();
  await expect(page.getByRole("heading", { name: /^Ben/, level: 1 })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page.locator("article.big")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
});

test("the installed app has a way back in its bar", async ({ browser }) => {
  const ann = await person("Ann");
  const tweet = await post(ann, "A lantern goes up");
  const page = await open(browser, ann, "/", { viewport: { width: 360, height: 740 } });
  await page.getByText("A lantern goes up").click();
  await expect(page).toHaveURL(new RegExp(tweet.id));
  const back = page.getByRole("button", { name: "Back", exact: true });
  await expect(page.locator("article.big")).toBeVisible();
  await expect(back).toBeHidden(); // the browser has one
  // As an installed app answers.
  await page.addInitScript(() => {
    const asked = window.matchMedia.bind(window);
    window.matchMedia = (query) =>
      asked(query === "(display-mode: standalone)" ? "(min-width: 1px)" : query);
  });
  await page.reload();
  await expect(back).toBeInViewport();
  await back.click();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(back).toHaveCount(0);
});
