import { expect, type Browser, type Page } from "@playwright/test";
import { check } from "./look";
import { atHome, call, fresh, follows, open, person, post, test, type Person } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const dialog = (page: Page) => page.getByRole("dialog");
const of = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text });
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

const list = (who: Person, more = {}): Promise<{ id: string }> =>
  call(who, "POST", "/v1/lists", { title: "Sparklers", ...more });
const put = (who: Person, id: string, ...members: Person[]) =>
  Promise.all(members.map((one) => call(who, "PUT", `/v1/lists/${id}/members/${one.id}`)));

test("a person follows a tag on a phone, sees why a tweet is on home, and ends it in the lists", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const tag = `spark${Date.now()}`;
  const tweet = await post(ben, `A rocket #${tag}`);
  const page = await open(browser, ann, `/tags/${tag}`, phone);
  const button = page.getByRole("button", { name: `Follow #${tag}` });
  await expect(button).toBeInViewport({ ratio: 1 });
  await fits(page);
  await button.click();
  await expect(page.getByRole("button", { name: `Unfollow #${tag}` })).toBeInViewport({ ratio: 1 });
  await atHome(ann, tweet);
  await page.goto("/");
  await expect(of(page, "A rocket").getByRole("link", { name: `via #${tag}` })).toBeInViewport({
    ratio: 1,
  });
  await fits(page);
  await page.goto("/settings");
  await page.getByRole("link", { name: /^Lists and tags/ }).click();
  await expect(page.getByRole("link", { name: `#${tag}` })).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: `Unfollow #${tag}` }).click();
  await expect(page.getByText("You follow no tags.")).toBeInViewport();
  expect((await call(ann, "GET", "/v1/timeline")).items).toEqual([]);
});

test("a list is made, filled from a profile, read, taken off home, and deleted, in Japanese too", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const tweet = await post(ben, "A loud rocket");
  await atHome(ann, tweet);
  const page = await open(browser, ann, "/lists", phone);
  await page.getByRole("button", { name: "New list" }).click();
  const form = dialog(page);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("alert")).toHaveText("Give the list a name.");
  await form.getByLabel("Name").fill("Rockets");
  await expect(form.getByRole("button", { name: "Save" })).toBeInViewport({ ratio: 1 });
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Rockets" })).toBeInViewport();
  await expect(page.getByText("Nothing here yet")).toBeInViewport();

  await page.goto(`/users/${ben.id}`);
  await page.getByRole("button", { name: "More about Ben" }).click();
  await page.getByRole("menuitem", { name: "Add to a list…" }).click();
  await dialog(page).getByRole("switch", { name: "Rockets" }).click();
  await expect(dialog(page).getByRole("switch", { name: "Rockets" })).toBeChecked();
  await expect.poll(async () => (await call(ann, "GET", "/v1/lists")).items[0].memberCount).toBe(1);
  await page.keyboard.press("Escape");

  await page.goto("/lists");
  await page.getByRole("link", { name: /^Rockets/ }).click();
  await expect(of(page, "A loud rocket")).toBeInViewport();
  await page.getByRole("button", { name: "Members" }).click();
  await expect(page.getByRole("button", { name: "Remove: Ben" })).toBeInViewport({ ratio: 1 });
  await fits(page);
  await page.getByRole("button", { name: "Edit list" }).click();
  await form.getByRole("switch", { name: /^Leave its members out/ }).click();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText("Not on home")).toBeInViewport();
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(of(page, "A loud rocket")).toBeHidden();

  const japanese = await open(browser, ann, "/lists", { ...phone, locale: "ja-JP" });
  await japanese.getByRole("link", { name: /^Rockets/ }).click();
  await expect(japanese.getByText("ホームに出さない")).toBeInViewport({ ratio: 1 });
  await fits(japanese);
  await japanese.getByRole("button", { name: "リストを編集" }).click();
  await japanese.getByRole("button", { name: "リストを削除" }).click();
  await japanese.getByRole("button", { name: "本当にリストを削除しますか?" }).click();
  await expect(japanese.getByText("リストはまだありません")).toBeInViewport();
  await page.goto("/");
  await expect(of(page, "A loud rocket")).toBeInViewport();
});

test("a starter pack is found on a profile, and followed with progress; visitors read it", async ({
  browser,
}) => {
  const [ann, ben, eve] = [await person("Ann"), await person("Ben"), await person("Eve")];
  const members = await Promise.all(
    ["Mia", "Max", "Moe", "Mel", "Meg", "May", "Mo"].map((name) => person(name)),
  );
  await call(members[0], "PATCH", `/v1/users/${members[0]!.id}`, { locked: true });
  const pack = await list(ben, { visibility: "public", description: "Who makes sparks" });
  await put(ben, pack.id, ...members, eve);
  await list(ben, { title: "Secret" });
  await call(eve, "PUT", `/v1/users/${ann.id}/block`);
  const page = await open(browser, ann, `/users/${ben.id}`, phone);
  await page.getByRole("link", { name: "Lists", exact: true }).click();
  await expect(page.getByText("Secret")).toHaveCount(0);
  await page.getByRole("link", { name: /^Sparklers/ }).click();
  await expect(page.getByText("Who makes sparks")).toBeInViewport({ ratio: 1 });
  const all = page.getByRole("button", { name: "Follow all" });
  await expect(all).toBeInViewport({ ratio: 1 });
  await fits(page);

  // The second request fails, and is sent again.
  let asked = 0;
  await page.route("**/lists/*/follow*", (route) =>
    ++asked === 2 ? route.abort() : route.continue(),
  );
  await all.click();
  await expect(page.getByRole("button", { name: "Continue" })).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(
    page.getByRole("status").filter({ hasText: /^Done: 6 followed, 1 asked/ }),
  ).toBeInViewport({ ratio: 1 });
  expect((await call(ann, "GET", `/v1/users/${ann.id}/following`)).items).toHaveLength(6);
  await fits(page);

  const visitor = await fresh(browser);
  await visitor.goto(`/users/${ben.id}/lists/${pack.id}`);
  await expect(visitor.getByText("Who makes sparks")).toBeInViewport();
  await expect(visitor.getByText("Eve", { exact: true })).toBeVisible();
  await visitor.getByRole("button", { name: "Follow all" }).click();
  await expect(visitor).toHaveURL(/\/sign-up$/);
});

/** Opens the pages and windows of lists, and looks at each. */
async function tour(browser: Browser, look: (page: Page, name: string) => Promise<void>) {
  const [ann, ben, sara] = [await person("Ann"), await person("Ben"), await person("Sara")];
  await call(sara, "PATCH", `/v1/users/${sara.id}`, { nickname: "سارة من ضفة النهر" });
  await call(ann, "PUT", "/v1/tags/fireworks/follow");
  await call(ann, "PUT", `/v1/tags/${encodeURIComponent("花火")}/follow`);
  await list(ann, { title: "ألعاب نارية", exclusive: true });
  const own = await list(ann, {
    title: "People who write about very long fireworks in the summer",
    visibility: "public",
    description: "Rockets, fountains and sparklers.",
  });
  await put(ann, own.id, ben, sara);
  await post(ben, "A rocket #fireworks");
  const page = await open(browser, ann, "/lists");
  await expect(page.getByRole("link", { name: "#fireworks" })).toBeVisible();
  await look(page, "lists-mine");
  await page.goto(`/users/${ann.id}/lists/${own.id}`);
  await expect(of(page, "A rocket")).toBeVisible();
  await look(page, "lists-timeline");
  await page.getByRole("button", { name: "Edit list" }).click();
  await expect(dialog(page)).toBeVisible();
  await look(page, "lists-form");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect
    .poll(() => page.evaluate(() => (history.state as { window?: number } | null)?.window))
    .toBeUndefined(); // its entry in the history is gone
  await page.goto(`/users/${ben.id}`);
  await page.getByRole("button", { name: "More about Ben" }).click();
  await page.getByRole("menuitem", { name: "Add to a list…" }).click();
  await expect(dialog(page).getByRole("switch").first()).toBeEnabled();
  await look(page, "lists-add");
  const other = await open(browser, ben, `/users/${ann.id}/lists/${own.id}`);
  await expect(other.getByRole("button", { name: "Follow all" })).toBeVisible();
  await look(other, "lists-pack");
}

test("lists in every look: accessible, as wide as the window, photographed", async ({
  browser,
}) => {
  await tour(browser, check);
});

test("lists at 200 %, and from right to left, stay within the window", async ({ browser }) => {
  await tour(browser, async (page, name) => {
    for (const [look, width, height, dir] of [
      ["double", 640, 450, "ltr"],
      ["double-phone", 180, 370, "ltr"],
      ["rtl", 360, 740, "rtl"],
      ["rtl-desktop", 1280, 900, "rtl"],
    ] as const) {
      // Other parts of these pages are wider than a phone at 200 %.
      if (name === "lists-add" && width < 320) continue;
      await page.setViewportSize({ width, height });
      await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
      await fits(page);
      await page.screenshot({ path: `screenshots/${name}-${look}.png`, animations: "disabled" });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => (document.documentElement.dir = "ltr"));
  });
});
