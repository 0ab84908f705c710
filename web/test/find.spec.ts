import { expect, type Browser, type Page } from "@playwright/test";
import { check } from "./look";
import {
  administrator,
  call,
  follows,
  fresh,
  open,
  person,
  test,
  until,
  type Person,
} from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
// Other tests have people of the same names.
const row = (page: Page, who: Person) =>
  page.getByRole("listitem").filter({ hasText: `@${who.name}` });

/** Ann follows five people, who follow Zoe; one of them follows Yan, too. */
async function circle(): Promise<{ ann: Person; zoe: Person; yan: Person; bob: Person }> {
  const ann = await person("Ann");
  const [zoe, yan] = [await person("Zoe"), await person("Yan")];
  const friends: Person[] = [];
  for (const name of ["Bob", "Cat", "Dan", "Eve"]) {
    const friend = await person(name);
    await follows(ann, friend);
    await follows(friend, zoe);
    friends.push(friend);
  }
  await follows(friends[0]!, yan);
  await call(ann, "GET", "/v1/suggestions");
  await call(undefined, "POST", "/test/suggestions");
  return { ann, zoe, yan, bob: friends[0]! };
}

test(
  "suggestions say why, a person is followed and another dismissed, on a phone",
  { tag: "@short" },
  async ({ browser }) => {
    const { ann, zoe, yan } = await circle();
    const page = await open(browser, ann, "/people/find", phone);
    await expect(row(page, zoe)).toBeInViewport();
    await expect(row(page, zoe)).toContainText("and 1 other");
    await expect(row(page, yan)).toContainText("Followed by");
    await expect(row(page, yan)).toContainText("Bob");
    await fits(page);

    await row(page, zoe).getByRole("button", { name: "Follow: Zoe" }).click();
    await until(async () => (await call(ann, "GET", `/v1/users/${zoe.id}`)).following as boolean);
    await expect(row(page, zoe).getByRole("button", { name: "Following: Zoe" })).toBeInViewport();

    await row(page, yan).getByRole("button", { name: "Do not suggest Yan" }).click();
    await expect(row(page, yan)).toBeHidden();
    await until(async () => {
      const { items } = await call(ann, "GET", "/v1/suggestions");
      return items.every(
        (one: { user: { id: string } }) => ![zoe.id, yan.id].includes(one.user.id),
      );
    });
    await page.reload();
    await expect(page.getByRole("heading", { name: "People to follow" })).toBeVisible();
    await expect(row(page, yan)).toBeHidden();
  },
);

test("home has a few people beside it, and a profile names familiar followers", async ({
  browser,
}) => {
  const { ann, zoe, yan, bob } = await circle();
  const page = await open(browser, ann, "/", { viewport: { width: 1280, height: 900 } });
  const panel = page.getByRole("region", { name: "People to follow" });
  await expect(panel).toBeInViewport();
  await expect(panel.getByText("Zoe", { exact: true })).toBeInViewport();
  await panel.getByRole("link", { name: "Show more people" }).click();
  await expect(page).toHaveURL(/\/people\/find$/);
  await page.goto(`/users/${zoe.id}`);
  await expect(page.getByText(/^Followed by .+ and 2 others you follow$/)).toBeInViewport();
  // Whom Ann blocks is suggested no more at once.
  await call(ann, "PUT", `/v1/users/${zoe.id}/block`);
  await page.goto("/people/find");
  await expect(row(page, yan)).toBeInViewport();
  await expect(row(page, zoe)).toBeHidden();
  await page.goto(`/users/${bob.id}`);
  await expect(page.getByRole("heading", { name: "Bob" }).first()).toBeVisible();
  await expect(page.getByText("whom you follow")).toBeHidden();
});

test("somebody opts in to the directory, and a visitor and a newcomer find the person", async ({
  browser,
}) => {
  const [mia, new1] = [await person("Mia"), await person("Newcomer")];
  const page = await open(browser, mia, "/settings", phone);
  await page.getByRole("switch", { name: "List me in the directory" }).click();
  await until(async () => (await call(mia, "GET", "/v1/users/me")).discoverable as boolean);
  await page.getByLabel("The language I write in").selectOption("sv");
  await until(async () => (await call(mia, "GET", "/v1/users/me")).language === "sv");
  await page.reload();
  await expect(page.getByRole("switch", { name: "List me in the directory" })).toBeChecked();

  const visitor = await fresh(browser, phone);
  await visitor.goto("/people/find");
  await visitor.getByLabel("Language").selectOption("sv");
  await expect(row(visitor, mia)).toBeInViewport();
  await visitor.getByLabel("Language").selectOption("fa");
  await expect(visitor.getByText("Nobody is listed yet")).toBeInViewport();
  await fits(visitor);

  // A new account has an empty home, and people to begin with. The directory is as it was a minute ago.
  await until(async () => (await call(new1, "GET", "/v1/suggestions")).items.length > 0);
  const home = await open(browser, new1, "/", phone);
  await expect(home.getByRole("region", { name: "Who to follow first" })).toBeVisible();
});

test("an administrator lists everybody, the newest first", async ({ browser }) => {
  const keeper = await administrator();
  const last = await person("Lately");
  const page = await open(browser, keeper, "/admin/users", phone);
  await expect(row(page, last)).toBeInViewport();
  await expect(page.getByRole("main").getByRole("listitem").first()).toContainText(last.name);
  await fits(page);
});

/** The pages and parts that find people. */
async function tour(
  browser: Browser,
  language: string, // of this tour alone: a page of the directory may be as it was a minute ago
  look: (page: Page, name: string) => Promise<void>,
  options = {},
) {
  const { ann, zoe } = await circle();
  await call(zoe, "PATCH", "/v1/users/me", { discoverable: true, language });
  const page = await open(browser, ann, "/people/find", options);
  await expect(row(page, zoe)).toBeVisible();
  await look(page, "find");
  await page.locator(".tabs button").nth(1).click();
  await page.locator(".chooser select").nth(1).selectOption(language);
  await expect(row(page, zoe)).toBeVisible();
  await look(page, "find-directory");
  await page.goto("/");
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.locator(".panel.find").first()).toBeVisible();
  await look(page, "find-home");
}

test("people to follow in every look: accessible, as wide as the window, photographed", async ({
  browser,
}) => {
  await tour(browser, "pl", check);
});

test("people to follow in Japanese, in every look", async ({ browser }) => {
  await tour(browser, "it", (page, name) => check(page, `${name}-ja`), { locale: "ja-JP" });
});

test("people to follow at 200 %, and from right to left, stay within the window", async ({
  browser,
}) => {
  await tour(browser, "nl", async (page, name) => {
    for (const [look, width, height, dir] of [
      ["double", 640, 450, "ltr"],
      ["double-phone", 180, 370, "ltr"],
      ["rtl", 360, 740, "rtl"],
      ["rtl-desktop", 1280, 900, "rtl"],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
      await fits(page);
      await page.screenshot({ path: `screenshots/${name}-${look}.png`, animations: "disabled" });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => (document.documentElement.dir = "ltr"));
  });
});
