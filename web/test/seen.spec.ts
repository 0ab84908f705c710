import { expect } from "@playwright/test";
import { call, follows, open, person, post, test, until } from "./people";

const unread = async (who: Parameters<typeof call>[0]) =>
  (await call(who, "GET", "/v1/notifications?filter=unread")).items.length as number;

test(
  "who looks at notifications has read them: the badge goes, and what was new is still marked",
  { tag: "@short" },
  async ({ browser }) => {
    const [ann, ben, cyd] = [await person("Ann"), await person("Ben"), await person("Cyd")];
    const tweet = await post(ann, "Look at this lantern");
    await call(ben, "PUT", `/v1/tweets/${tweet.id}/like`);
    await follows(cyd, ann);
    await until(async () => (await unread(ann)) === 2);

    const page = await open(browser, ann);
    const badge = page.getByRole("banner").getByLabel("Unread: 2");
    await expect(badge).toBeVisible();
    await expect(page).toHaveTitle(/^\(2\) /);
    await page
      .getByRole("link", { name: /^Notifications/ })
      .first()
      .click();
    const told = page.getByRole("article");
    await expect(told).toHaveCount(2);
    await expect(badge).toBeHidden();
    await expect(page).not.toHaveTitle(/^\(/);
    expect(await unread(ann)).toBe(0);
    // Whoever looks sees what was new, also after the list was read again.
    await expect(told.getByText("New", { exact: true })).toHaveCount(2);

    // What comes while somebody looks is read at once.
    await post(ben, `Hello @${ann.name}`);
    await expect(told.first()).toContainText("mentioned you");
    await until(async () => (await unread(ann)) === 0);
    await expect(page).not.toHaveTitle(/^\(/);

    // Who comes back finds nothing new.
    await page.getByRole("link", { name: "Home" }).first().click();
    await page
      .getByRole("link", { name: /^Notifications/ })
      .first()
      .click();
    await expect(told).toHaveCount(3);
    await expect(told.getByText("New", { exact: true })).toHaveCount(0);
  },
);

test("a window that nobody looks at reads nothing", async ({ browser }) => {
  const [ann, ben, cyd] = [await person("Ann"), await person("Ben"), await person("Cyd")];
  const page = await open(browser, ann, "/notifications");
  await expect(page.getByText("No notifications yet")).toBeVisible();
  await follows(cyd, ann);
  await expect(page.getByRole("article")).toContainText("Cyd followed you");
  await until(async () => (await unread(ann)) === 0);
  // As a browser says it of a tab in the background.
  const hide = (hidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "visibilityState", {
        configurable: true,
        get: () => (hidden ? "hidden" : "visible"),
      });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await hide(true);
  await follows(ben, ann);
  await expect(page.getByRole("article").first()).toContainText("Ben and 1 other followed you");
  await expect(page).toHaveTitle(/^\(1\) /);
  expect(await unread(ann)).toBe(1);
  await hide(false);
  await until(async () => (await unread(ann)) === 0);
  await expect(page).not.toHaveTitle(/^\(/);
});
