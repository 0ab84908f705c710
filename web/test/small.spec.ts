import { expect, type Browser, type Page } from "@playwright/test";
import { check } from "./look";
import {
  administrator,
  atHome,
  call,
  follows,
  kept,
  open,
  person,
  post,
  test,
  until,
  type Person,
} from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const dialog = (page: Page) => page.getByRole("dialog");
const of = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text });
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
const follower = async (ann: Person, ben: Person) =>
  (await call(ann, "GET", `/v1/users/${ben.id}`)).followedBy as boolean;

test(
  "a follower is removed in the list, and another from the profile, on a phone",
  { tag: ["@short", "@firefox"] },
  async ({ browser }) => {
    const [ann, ben, cyd] = [await person("Ann"), await person("Ben"), await person("Cyd")];
    await follows(ben, ann);
    await follows(cyd, ann);
    await until(async () => (await call(ann, "GET", "/v1/users/me/followers")).items.length === 2);
    const page = await open(browser, ann, `/users/${ann.id}/followers`, phone);
    await page.getByRole("button", { name: "Remove Ben" }).click();
    await expect(dialog(page).getByText("Ben may follow you again")).toBeInViewport({ ratio: 1 });
    await fits(page);
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    expect(await follower(ann, ben)).toBe(true);
    await page.getByRole("button", { name: "Remove Ben" }).click();
    await dialog(page).getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("Ben does not follow you any more")).toBeInViewport();
    expect(await follower(ann, ben)).toBe(false);
    expect(await follower(ann, cyd)).toBe(true);

    await page.goto(`/users/${cyd.id}`);
    await expect(page.getByText("Follows you")).toBeVisible();
    await page.getByRole("button", { name: "More about Cyd" }).click();
    await page.getByRole("menuitem", { name: "Remove Cyd from your followers…" }).click();
    await dialog(page).getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("Follows you")).toBeHidden();
    expect(await follower(ann, cyd)).toBe(false);
    const { items } = await call(cyd, "GET", "/v1/notifications");
    expect(items, "nobody is told").toEqual([]);
  },
);

test("a note on a person is for its reader alone, and stays until it is emptied", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const page = await open(browser, ann, `/users/${ben.id}`, phone);
  await page.getByRole("button", { name: "Add a note for yourself" }).click();
  await expect(page.getByLabel("My note")).toBeFocused();
  await page.getByLabel("My note").fill("Met at the lantern festival");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Met at the lantern festival")).toBeInViewport({ ratio: 1 });
  await page.reload();
  await expect(page.getByText("Met at the lantern festival")).toBeInViewport({ ratio: 1 });
  await kept(page, "Met at the lantern festival", false);
  const his = await open(browser, ben, `/users/${ann.id}`);
  await expect(his.getByRole("button", { name: "Add a note for yourself" })).toBeVisible();
  await page.getByRole("button", { name: "Edit the note" }).click();
  await page.getByLabel("My note").fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "Add a note for yourself" })).toBeInViewport();
  expect((await call(ann, "GET", `/v1/users/${ben.id}/note`)).text).toBe("");
});

test("another device goes on where the reader was", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const read = await post(ben, "Read on the phone");
  await atHome(ann, read);
  const first = await open(browser, ann, "/", phone);
  await expect(of(first, "Read on the phone")).toBeInViewport();
  await expect(first.getByRole("button", { name: "Continue where you were" })).toHaveCount(0);
  const marked = first.waitForResponse(
    (response) => response.url().endsWith("/markers") && response.request().method() === "PATCH",
  );
  await first.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await marked;
  expect((await call(ann, "GET", "/v1/users/me/markers")).home).toMatchObject({
    lastReadId: read.id,
    version: 1,
  });
  let last = read;
  for (let n = 0; n < 24; n++) last = await post(ben, `Later lantern ${n}`);
  await atHome(ann, last);
  const second = await open(browser, ann);
  await expect(of(second, "Later lantern 23")).toBeInViewport();
  await expect(of(second, "Read on the phone")).toHaveCount(0); // it is on the second page
  await second.getByRole("button", { name: "Continue where you were" }).click();
  await expect(of(second, "Read on the phone")).toBeInViewport();
  await expect(second.getByRole("button", { name: "Continue where you were" })).toHaveCount(0);
});

test(
  "tags stand on the profile, are counted when somebody asks, and lead to their posts",
  { tag: "@firefox" },
  async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    const tag = `Spark${ann.name}`;
    await post(ann, `One #${tag}`);
    const page = await open(browser, ann, "/settings", phone);
    await page.locator("input[name=tags]").fill(`#${tag}, 火花 two!words`);
    await page.getByRole("button", { name: "Save the tags" }).click();
    await expect(page.getByRole("alert")).toBeInViewport({ ratio: 1 });
    await page.locator("input[name=tags]").fill(`#${tag}, 火花`);
    await page.getByRole("button", { name: "Save the tags" }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await until(async () => (await call(ann, "GET", "/v1/users/me")).pinnedTags?.length === 2);
    await until(
      async () => (await call(ann, "GET", "/v1/users/me/pinnedTags")).items[0].tweetCount === 1,
    );
    const his = await open(browser, ben, `/users/${ann.id}`, phone);
    await expect(his.locator(".pinnedtags").getByRole("link", { name: `#${tag}` })).toBeInViewport({
      ratio: 1,
    });
    await his.getByRole("button", { name: "Count the posts" }).click();
    await expect(his.locator(".pinnedtags").getByRole("link", { name: `#${tag}` })).toContainText(
      "1",
    );
    await expect(his.locator(".pinnedtags").getByRole("link", { name: "#火花" })).toContainText(
      "0",
    );
    await fits(his);
    await his
      .locator(".pinnedtags")
      .getByRole("link", { name: `#${tag}` })
      .click();
    await expect(of(his, `One #${tag}`)).toBeVisible();
  },
);

test("an administrator announces something, and a reader dismisses it on all devices", async ({
  browser,
}) => {
  const [ann, keeper] = [await person("Ann"), await administrator()];
  const title = `Fireworks ${keeper.name}`;
  const admins = await open(browser, keeper, "/admin/announcements");
  try {
    await admins.getByLabel("Title").fill(title);
    await admins.getByLabel("Text").fill("They begin at **nine**.");
    await admins.getByRole("button", { name: "Announce" }).click();
    await expect(admins.getByRole("heading", { name: title })).toBeVisible();
    await check(admins, "small-admin");
    await until(async () =>
      (await call(ann, "GET", "/v1/announcements")).items.some(
        (one: { title: string }) => one.title === title,
      ),
    );
    const page = await open(browser, ann, "/", phone);
    await expect(page.getByText(title)).toBeInViewport({ ratio: 1 });
    await fits(page);
    await page.getByRole("link", { name: `Read it: ${title}` }).click();
    await expect(page.locator("strong", { hasText: "nine" })).toBeInViewport();
    await page.getByRole("button", { name: `Dismiss: ${title}` }).click();
    await expect(page.getByRole("button", { name: `Dismiss: ${title}` })).toHaveCount(0);
    await until(async () =>
      (await call(ann, "GET", "/v1/announcements")).items.some(
        (one: { title: string; dismissed: boolean }) => one.title === title && one.dismissed,
      ),
    );
    const other = await open(browser, ann);
    await expect(other.getByRole("link", { name: "Home" }).first()).toBeVisible();
    await expect(other.getByText(title)).toHaveCount(0);
    const log = await call(keeper, "GET", "/v1/admin/actions");
    expect(JSON.stringify(log.items)).toContain(title);
  } finally {
    await admins.setViewportSize({ width: 1280, height: 900 });
    await admins.getByRole("button", { name: `Remove: ${title}` }).click();
    await expect(admins.getByRole("heading", { name: title })).toHaveCount(0);
  }
});

test("somebody is told of the posts of a person, and no more after the menu says so", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const page = await open(browser, ann, `/users/${ben.id}`, phone);
  await page.getByRole("button", { name: "More about Ben" }).click();
  await page.getByRole("menuitem", { name: "Notify me when Ben posts" }).click();
  await expect(page.getByText("You will be notified when Ben posts")).toBeInViewport();
  await post(ben, "A lantern to be told of");
  await until(async () => (await call(ann, "GET", "/v1/notifications")).items.length === 1);
  await page.goto("/notifications");
  await expect(page.getByText("Ben posted")).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("A lantern to be told of")).toBeInViewport();
  await fits(page);
  await page.goto(`/users/${ben.id}`);
  await page.getByRole("button", { name: "More about Ben" }).click();
  await page.getByRole("menuitem", { name: "Stop notifying me when Ben posts" }).click();
  await until(async () => !(await call(ann, "GET", `/v1/users/${ben.id}/notify`)).notify);
});

/** Ann has a note on Sara, who follows her and shows tags. */
async function noted(): Promise<{ ann: Person; sara: Person }> {
  const [ann, sara] = [await person("Ann"), await person("Sara")];
  await follows(sara, ann);
  await call(sara, "PATCH", `/v1/users/${sara.id}`, {
    nickname: "سارة من ضفة النهر",
    pinnedTags: ["شرارة", "lantern_and_rocket_and_spark_of_the_festival", "火花", "go"],
  });
  await call(ann, "PUT", `/v1/users/${sara.id}/note`, {
    text: "Knows everything about lanterns, رأيتها في المهرجان, and answers late.".repeat(3),
  });
  await until(async () => (await call(ann, "GET", "/v1/users/me/followers")).items.length === 1);
  return { ann, sara };
}

async function tour(
  browser: Browser,
  { ann, sara }: { ann: Person; sara: Person },
  look: (page: Page, name: string) => Promise<void>,
  options = {},
) {
  const page = await open(browser, ann, `/users/${sara.id}`, options);
  await expect(page.locator(".note")).toBeVisible();
  await expect(page.locator(".pinnedtags a")).toHaveCount(4);
  await look(page, "small-profile");
  await page.locator(".note button").click();
  await expect(page.locator(".note textarea")).toBeFocused();
  await look(page, "small-note");
  await page.goto(`/users/${ann.id}/followers`);
  await page.locator(".twobuttons button").last().click();
  await expect(dialog(page)).toBeVisible();
  await look(page, "small-remove");
  await page.keyboard.press("Escape");
  await look(page, "small-followers");
  await page.goto("/settings/announcements");
  await expect(page.locator(".announcements")).toBeVisible();
  await look(page, "small-announcements");
}

test("notes, tags and followers in every look: accessible, as wide as the window, photographed", async ({
  browser,
}) => {
  await tour(browser, await noted(), check);
});

test("notes, tags and followers in Japanese, at 200 % and from right to left, stay within the window", async ({
  browser,
}) => {
  const look = async (page: Page, name: string) => {
    for (const [look, width, height, dir] of [
      ["ja", 360, 740, "ltr"],
      ["double", 640, 450, "ltr"],
      ["double-phone", 180, 370, "ltr"],
      ["rtl", 360, 740, "rtl"],
      ["rtl-desktop", 1280, 900, "rtl"],
    ] as const) {
      // Other parts of these pages are wider than a phone at 200 %.
      if (!/remove/.test(name) && width < 320) continue;
      await page.setViewportSize({ width, height });
      await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
      await fits(page);
      const main = page.locator("[role=dialog] button.main, .note button.main");
      if (await main.count()) {
        await main.scrollIntoViewIfNeeded();
        await expect(main, `${name} ${look}`).toBeInViewport({ ratio: 1 });
      }
      await page.screenshot({ path: `screenshots/${name}-${look}.png`, animations: "disabled" });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => (document.documentElement.dir = "ltr"));
  };
  await tour(browser, await noted(), look, { locale: "ja-JP" });
});
