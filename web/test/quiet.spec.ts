import { expect, type Browser, type Locator, type Page } from "@playwright/test";
import { check } from "./look";
import {
  atHome,
  call,
  follows,
  fresh,
  kept,
  open,
  person,
  post,
  signedIn,
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

/** Opens the menu of a tweet. */
const menu = (tweet: Locator, name = "More") =>
  tweet.getByRole("button", { name, exact: true }).click();

/** Mutes the author of a tweet in its menu. */
async function mute(
  page: Page,
  tweet: Locator,
  name: string,
  how: { part?: string; time: string },
) {
  await menu(tweet);
  await page.getByRole("menuitem", { name: `Mute ${name}…` }).click();
  await expect(dialog(page).getByRole("heading", { name: `Mute ${name}` })).toBeInViewport();
  if (how.part) await dialog(page).getByLabel("What to hide").selectOption(how.part);
  await dialog(page).getByLabel("For how long").selectOption(how.time);
  await expect(dialog(page).getByRole("button", { name: "Mute" })).toBeInViewport({ ratio: 1 });
  await dialog(page).getByRole("button", { name: "Mute" }).click();
}

/** Ann follows Ben and Cyd, and each of the two wrote something. */
async function three(): Promise<{ ann: Person; ben: Person; cyd: Person; old: { id: string } }> {
  const [ann, ben, cyd] = [await person("Ann"), await person("Ben"), await person("Cyd")];
  await follows(ann, ben);
  await follows(ann, cyd);
  const old = await post(ben, "A loud rocket");
  await atHome(ann, old, await post(cyd, "A quiet lantern"));
  return { ann, ben, cyd, old };
}

test(
  "a mute for an hour takes a person off home at once, on a phone, and unmuting brings the person back",
  { tag: "@short" },
  async ({ browser }) => {
    const { ann, ben } = await three();
    const page = await open(browser, ann, "/", phone);
    await expect(of(page, "A loud rocket")).toBeInViewport();
    await mute(page, of(page, "A loud rocket"), "Ben", { time: "1 hour" });
    await expect(dialog(page)).toBeHidden();
    await expect(of(page, "A loud rocket")).toBeHidden();
    await expect(of(page, "A quiet lantern")).toBeInViewport();
    const { muting } = await call(ann, "GET", `/v1/users/${ben.id}`);
    const minutes = (Date.parse(muting.until) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(55);
    expect(minutes).toBeLessThanOrEqual(60);
    expect(muting).toMatchObject({ part: "all", hideNotifications: true });

    // What the browser kept has nothing of Ben either.
    await kept(page, "A quiet lantern");
    await kept(page, "A loud rocket", false);
    await page.route("**/v1/timeline*", (route) => route.abort());
    await page.goto("/");
    await expect(of(page, "A quiet lantern")).toBeInViewport();
    await expect(of(page, "A loud rocket")).toBeHidden();
    await page.unroute("**/v1/timeline*");

    // The profile says it, and stays.
    await page.goto(`/users/${ben.id}`);
    await expect(page.getByText(/You mute Ben until .*\d/)).toBeInViewport({ ratio: 1 });
    await expect(of(page, "A loud rocket")).toBeVisible();
    await page.getByRole("button", { name: "More about Ben" }).click();
    await expect(page.getByRole("menuitem", { name: "Unmute Ben" })).toBeInViewport();
    await page.keyboard.press("Escape");

    await page.goto("/settings");
    await page.getByRole("link", { name: "Muted and blocked" }).click();
    await expect(page.getByText(/^Everything, until .*\d/)).toBeInViewport({ ratio: 1 });
    await fits(page);
    await page.getByRole("button", { name: "Unmute: Ben" }).click();
    await expect(page.getByText("You mute nobody.")).toBeInViewport();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText(/^Everything, until .*\d/)).toBeVisible();
    await page.getByRole("button", { name: "Unmute: Ben" }).click();
    await expect(page.getByText("You mute nobody.")).toBeVisible();
    await page.getByRole("navigation").getByRole("link", { name: "Home" }).last().click();
    await expect(of(page, "A loud rocket")).toBeInViewport();
  },
);

test("what was on its way when somebody was muted does not come", async ({ browser }) => {
  const { ann, ben, cyd } = await three();
  const page = await signedIn(browser, ann);
  let [seen, release] = [() => {}, () => {}];
  const held = new Promise<void>((done) => (release = done));
  const asked = new Promise<void>((done) => (seen = done));
  await page.route(/\/v1\/timeline\?.*after=/, async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes("A late rocket")) {
      seen();
      await held;
    }
    await route.fulfill({ response });
  });
  await page.goto("/");
  await expect(of(page, "A loud rocket")).toBeVisible();
  await post(ben, "A late rocket");
  await asked;
  await mute(page, of(page, "A loud rocket"), "Ben", { time: "1 day" });
  await expect(of(page, "A loud rocket")).toBeHidden();
  release();
  await atHome(ann, await post(cyd, "A late lantern"));
  await expect(of(page, "A late lantern")).toBeInViewport();
  // At this moment: a later reading of the whole page would take it away.
  expect(await of(page, "A late rocket").count()).toBe(0);
});

test("shares or replies alone can be muted, and a quote of a muted person is folded", async ({
  browser,
}) => {
  const { ann, ben, cyd, old } = await three();
  const [dan, eve] = [await person("Dan"), await person("Eve")];
  const shared = await post(dan, "Shared by Ben");
  await call(ben, "PUT", `/v1/tweets/${shared.id}/share`);
  const reply = await post(cyd, "A reply of Cyd", { replyTo: shared.id });
  const begun = await post(cyd, "Cyd begins a thread");
  const next = await post(cyd, "And goes on with it", { replyTo: begun.id });
  await atHome(ann, shared, reply, next);
  const page = await open(browser, ann);
  await expect(page.getByRole("article", { name: "Tweet by Dan" })).toBeVisible();
  await mute(page, of(page, "A loud rocket"), "Ben", {
    part: "Only what they share",
    time: "Until I unmute",
  });
  // Cyd's reply may say what it answers.
  await expect(page.getByRole("article", { name: "Tweet by Dan" })).toBeHidden();
  await expect(of(page, "A loud rocket")).toBeVisible();
  await mute(page, of(page, "A quiet lantern"), "Cyd", {
    part: "Only their replies",
    time: "1 week",
  });
  await expect(of(page, "A reply of Cyd")).toBeHidden();
  await expect(of(page, "A quiet lantern")).toBeVisible();
  await expect(of(page, "And goes on with it"), "a thread of one's own").toBeVisible();
  await page.reload();
  await expect(of(page, "A quiet lantern")).toBeVisible();
  await expect(of(page, "A loud rocket")).toBeVisible();
  await expect(page.getByText(/Shared by Ben|A reply of Cyd/)).toHaveCount(0);
  await page.goto(`/users/${ben.id}`);
  await expect(page.getByText("You mute what Ben shares.")).toBeInViewport();

  const quote = await post(eve, "Eve quotes it", { quoteOf: old.id });
  await call(ann, "PUT", `/v1/users/${ben.id}/mute`, {});
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route("**/v1/relationships?*", (route) => held.then(() => route.continue()));
  await Promise.all([
    page.waitForRequest(
      (request) => /\/v1\/relationships\?/.test(request.url()) && request.url().includes(ben.id),
    ),
    page.goto(`/tweets/${quote.id}`),
  ]);
  await expect(of(page, "Eve quotes it").getByText("…", { exact: true })).toBeInViewport();
  expect(await page.getByText("A loud rocket").count(), "not known yet").toBe(0);
  release();
  await expect(page.getByText("By Ben, whom you mute")).toBeInViewport();
  await expect(page.getByText("A loud rocket")).toBeHidden();
  await page.getByRole("button", { name: "Show anyway" }).click();
  await expect(page.getByText("A loud rocket")).toBeInViewport();
});

/** Fills the window of a new filter in, in a language, and saves it. */
async function filter(
  page: Page,
  words: string[],
  {
    title,
    action,
    end,
    ja = false,
  }: { title: string; action?: string; end?: string; ja?: boolean },
) {
  const say = (en: string, japanese: string) => (ja ? japanese : en);
  await page.goto("/settings/filters");
  await page.getByRole("button", { name: say("New filter", "新しいフィルター") }).click();
  const form = dialog(page);
  await form.getByLabel(say("Title", "名前"), { exact: false }).first().fill(title);
  for (const [n, word] of words.entries()) {
    if (n > 0) await form.getByRole("button", { name: say("Add a word", "単語を追加") }).click();
    await form.getByLabel(`${say("Word", "単語")} ${n + 1}`, { exact: true }).fill(word);
  }
  if (action)
    await form
      .getByLabel(say("What happens to a tweet", "ツイートをどうするか"))
      .selectOption(action);
  if (end) await form.getByRole("combobox", { name: say("Ends", "終わり") }).selectOption(end);
  await form.getByRole("button", { name: say("Save", "保存する") }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole("heading", { name: title })).toBeInViewport();
}

test("a filter with a Japanese phrase and a tag folds tweets, in Japanese, on a phone and by keyboard", async ({
  browser,
}) => {
  const { ann, ben } = await three();
  const spoiler = await post(ben, "昨日のドラマの最終回、まさかの結末でした");
  const tagged = await post(ben, "Nothing but a tag #ネタバレ");
  const own = await post(ann, "最終回を見た");
  await atHome(ann, spoiler, tagged, own);
  const page = await open(browser, ann, "/", { ...phone, locale: "ja-JP" });
  await expect(of(page, "まさかの結末")).toBeVisible();
  await filter(page, ["最終回", "#ネタバレ"], { title: "ドラマ", ja: true });
  await fits(page);
  await page.getByRole("navigation").getByRole("link", { name: "ホーム" }).last().click();
  const folded = page.getByRole("article", { name: "フィルター: ドラマ" });
  await expect(folded).toHaveCount(2);
  await expect(folded.first()).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(/まさかの結末|Nothing but/)).toHaveCount(0);
  await expect(of(page, "最終回を見た"), "one's own").toBeVisible();
  await fits(page);
  const button = page.locator(`[data-tweet="${spoiler.id}"]`).getByRole("button");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(folded.first(), "keys choose it too").toBeFocused();
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await button.focus();
  await page.keyboard.press("Enter");
  const text = page.getByText("まさかの結末");
  await expect(text).toBeInViewport({ ratio: 1 });
  await expect(page.locator("[aria-expanded=true]")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(text).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(text).toBeVisible();
  // The API says the same.
  await page.reload();
  await expect(folded).toHaveCount(2);
});

test("a hiding filter acts in threads, search and notifications; it is changed, deleted, and that undone", async ({
  browser,
}) => {
  const { ann, ben, cyd } = await three();
  const root = await post(ann, "Who saw the show?");
  const page = await open(browser, ann);
  await filter(page, ["finale"], { title: "Series", action: "hide", end: "In 1 hour" });
  await expect(page.getByText(/It is hidden · until .*\d/)).toBeInViewport({ ratio: 1 });
  const reply = await post(ben, "The Finale was great", { replyTo: root.id });
  const other = await post(cyd, "Not the finalement", { replyTo: root.id });
  await atHome(ann, other);
  const told = async () =>
    JSON.stringify((await call(ann, "GET", "/v1/notifications")).items).includes(other.id);
  await until(told);
  await page.goto(`/tweets/${root.id}`);
  await expect(of(page, "Not the finalement")).toBeInViewport();
  await expect(of(page, "The Finale was great")).toBeHidden();
  await page.goto("/explore?q=finale");
  await expect(page.getByText("Nothing found")).toBeInViewport();
  await page.goto("/notifications");
  await expect(page.getByText("Cyd replied to your tweet")).toBeInViewport();
  await expect(page.getByText("Ben replied to your tweet")).toBeHidden();

  await page.goto("/settings/filters");
  await page.getByRole("button", { name: "Edit: Series" }).click();
  await dialog(page).getByLabel("What happens to a tweet").selectOption("It is folded");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/It is folded · until/)).toBeInViewport({ ratio: 1 });
  // What another app does to the filter meanwhile is not lost.
  const [{ id, createdAt: _, version: __, ...series }] = (
    await call(ann, "GET", "/v1/users/me/filters")
  ).items;
  await page.getByRole("button", { name: "Edit: Series" }).click();
  const keywords = [...series.keywords, { keyword: "trailer" }];
  await call(ann, "PUT", `/v1/users/me/filters/${id}`, { ...series, keywords });
  await dialog(page).getByLabel("What happens to a tweet").selectOption("It is hidden");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page).getByText("The filter was changed elsewhere.")).toBeInViewport();
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Edit: Series" }).click();
  await expect(dialog(page).getByRole("textbox", { name: "Word 2" })).toHaveValue("trailer");
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await page.goto(`/tweets/${root.id}`);
  const folded = page.getByRole("article", { name: "Filtered: Series" });
  await expect(folded).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("The Finale was great")).toHaveCount(0);
  await folded.getByRole("button", { name: "Show anyway" }).click();
  await expect(page.locator(`[data-tweet="${reply.id}"]`)).toContainText("The Finale was great");

  await page.goto("/settings/filters");
  await page.getByRole("button", { name: "Delete: Series" }).click();
  await expect(page.getByText("No filters")).toBeInViewport();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("heading", { name: "Series" })).toBeVisible();
  await page.getByRole("button", { name: "Delete: Series" }).click();
  await expect(page.getByText("No filters")).toBeVisible();
  expect((await call(ann, "GET", "/v1/users/me/filters")).items).toEqual([]);
  await page.goto(`/tweets/${root.id}`);
  await expect(of(page, "The Finale was great")).toBeInViewport();
});

test("a filter that is not complete, or one too many, says what is wrong", async ({ browser }) => {
  const ann = await person("Ann");
  const one = { contexts: ["home"], action: "hide", keywords: [{ keyword: "spark" }] };
  for (let n = 0; n < 50; n++)
    await call(ann, "PUT", `/v1/users/me/filters/f${n}`, { ...one, title: `Filter ${n}` });
  const page = await open(browser, ann, "/settings/filters", phone);
  await page.getByRole("button", { name: "New filter" }).click();
  const form = dialog(page);
  const save = form.getByRole("button", { name: "Save" });
  const says = (text: string) => expect(form.getByRole("alert")).toHaveText(text);
  await save.click();
  await says("Give the filter a title.");
  await form.getByLabel("Title").fill("One more");
  await save.click();
  await says("Write at least one word, phrase or tag.");
  await form.getByLabel("Word 1", { exact: true }).fill("spark");
  await form.getByRole("combobox", { name: "Ends" }).selectOption("At a time of my choice");
  await form.getByLabel("End of the filter").fill("2020-01-01T10:00");
  await save.click();
  await says("Choose a time that is to come.");
  await form.getByRole("combobox", { name: "Ends" }).selectOption("Never");
  await save.click();
  await says(
    "You can have 50 filters, with 500 words and 50,000 bytes of text in all. Remove some first.",
  );
  await expect(form.getByRole("alert")).toBeInViewport({ ratio: 1 });
});

test("a block says what it does, and hides both from each other in a thread, not from visitors", async ({
  browser,
}) => {
  const { ann, ben, cyd } = await three();
  const root = await post(cyd, "Who is here?");
  const [hers, his] = [
    await post(ann, "Ann is here", { replyTo: root.id }),
    await post(ben, "Ben is here", { replyTo: root.id }),
  ];
  await post(ben, "Ben quotes Cyd", { quoteOf: root.id });
  await call(ben, "PUT", `/v1/tweets/${hers.id}/like`);
  await until(async () =>
    JSON.stringify(await call(ann, "GET", "/v1/notifications")).includes(ben.id),
  );
  const page = await open(browser, ann, "/notifications", phone);
  await expect(page.getByText("Ben liked your tweet")).toBeInViewport();
  await kept(page, `like:${hers.id}`);
  await page.goto(`/tweets/${root.id}/quotes`);
  await expect(of(page, "Ben quotes Cyd")).toBeInViewport();
  await kept(page, "Ben quotes Cyd"); // a page that is left at once may keep nothing
  await page.goto(`/tweets/${root.id}`);
  await expect(of(page, "Ben is here")).toBeInViewport();
  for (const text of ["Ben is here", "Ben quotes Cyd"]) await kept(page, text);
  await menu(page.locator(`[data-tweet="${his.id}"]`));
  await page.getByRole("menuitem", { name: "Block" }).click();
  await expect(dialog(page).getByText(/neither of you sees the other/)).toBeInViewport({
    ratio: 1,
  });
  await expect(dialog(page).getByText(/Public pages stay public/)).toBeInViewport({ ratio: 1 });
  await dialog(page).getByRole("button", { name: "Block" }).click();
  await expect(of(page, "Ben is here")).toBeHidden();
  await expect(of(page, "Ann is here")).toBeInViewport();
  // Nor does the browser keep what it had read of Ben, for a page that the API does not answer.
  for (const text of ["Ben is here", "Ben quotes Cyd", `like:${hers.id}`])
    await kept(page, text, false);
  await page.route("**/v1/notifications*", (route) => route.abort());
  await page.route("**/v1/tweets/*/thread*", (route) => route.abort());
  await page.reload();
  await expect(of(page, "Ann is here")).toBeInViewport();
  await expect(of(page, "Ben is here")).toBeHidden();
  await page.goto("/notifications");
  await expect(page.getByText("No notifications yet")).toBeInViewport();
  await page.unroute("**/v1/notifications*");
  await page.unroute("**/v1/tweets/*/thread*");
  await page.goto(`/tweets/${root.id}`);
  await expect(of(page, "Ann is here")).toBeInViewport();
  await expect(of(page, "Ben is here")).toBeHidden();

  const lists = async () =>
    !JSON.stringify(await call(ben, "GET", `/v1/tweets/${root.id}/thread`)).includes(hers.id);
  await until(lists); // with the other some seconds later
  const other = await open(browser, ben, `/tweets/${root.id}`);
  await expect(of(other, "Ben is here")).toBeInViewport();
  await expect(of(other, "Ann is here")).toBeHidden();
  const visitor = await fresh(browser);
  await visitor.goto(`/tweets/${root.id}`);
  await expect(of(visitor, "Ben is here")).toBeInViewport();
  await expect(of(visitor, "Ann is here")).toBeInViewport();

  await page.goto(`/users/${ben.id}`);
  await expect(page.getByText(/You block Ben\. .*visitors who are not/)).toBeInViewport();
  await page.getByRole("button", { name: "Unblock: Ben" }).click();
  await expect(of(page, "A loud rocket")).toBeVisible();
  await page.goto(`/tweets/${root.id}`);
  await expect(of(page, "Ben is here")).toBeInViewport();
});

/** Somebody with mutes, blocks and filters, whose home has folded tweets. */
async function loud(): Promise<{ ann: Person; ben: Person }> {
  const { ann, ben, cyd } = await three();
  const [dan, sara] = [await person("Dan"), await person("Sara")];
  await call(sara, "PATCH", `/v1/users/${sara.id}`, { nickname: "سارة من ضفة النهر" });
  await call(ann, "PUT", `/v1/users/${dan.id}/mute`, { seconds: 3600 });
  await call(ann, "PUT", `/v1/users/${sara.id}/mute`, { part: "replies" });
  await call(ann, "PUT", `/v1/users/${cyd.id}/mute`, { part: "shares", seconds: 86_400 });
  await call(ann, "PUT", `/v1/users/${(await person("Eve")).id}/block`);
  const one = { contexts: ["home", "thread"], action: "warn" };
  await call(ann, "PUT", "/v1/users/me/filters/series", {
    ...one,
    title: "The last season of a long series",
    keywords: ["finale", "season", "#spoiler"].map((keyword) => ({ keyword, wholeWord: true })),
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  await call(ann, "PUT", "/v1/users/me/filters/arabic", {
    ...one,
    title: "نهاية المسلسل",
    keywords: [{ keyword: "النهاية" }],
  });
  await atHome(
    ann,
    await post(ben, "The finale was great"),
    await post(ben, "شاهدت النهاية أمس"),
    await post(ben, "Calm again"),
  );
  return { ann, ben };
}

/** Opens the pages and windows of what is quiet, and looks at each. */
async function tour(
  browser: Browser,
  { ann, ben }: { ann: Person; ben: Person },
  look: (page: Page, name: string) => Promise<void>,
) {
  const page = await open(browser, ann);
  await expect(page.locator(".filtered")).toHaveCount(2);
  await page.locator(".filtered button").first().click();
  await look(page, "quiet-home");
  for (const [item, name] of [
    ["Mute Ben…", "quiet-mute"],
    ["Block", "quiet-block"],
  ] as const) {
    await menu(of(page, "Calm again"));
    await page.getByRole("menuitem", { name: item }).click();
    await expect(dialog(page)).toBeVisible();
    await look(page, name);
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toBeHidden();
  }
  await page.goto("/settings");
  await page.getByRole("heading", { name: "Muted, blocked and filtered" }).scrollIntoViewIfNeeded();
  await look(page, "quiet-settings");
  await page.goto("/settings/muted");
  await expect(page.getByText("Everything, until")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Unblock/ })).toBeVisible();
  await look(page, "quiet-muted");
  await page.goto("/settings/filters");
  await expect(page.getByRole("heading", { name: "The last season" })).toBeVisible();
  await look(page, "quiet-filters");
  await page.getByRole("button", { name: /^Edit: The last/ }).click();
  await expect(dialog(page)).toBeVisible();
  await look(page, "quiet-filter");
  await call(ann, "PUT", `/v1/users/${ben.id}/mute`, { seconds: 3600 });
  await page.goto(`/users/${ben.id}`);
  await expect(page.getByText("You mute Ben until")).toBeVisible();
  await look(page, "quiet-profile");
}

test("mutes, blocks and filters in every look: accessible, as wide as the window, photographed", async ({
  browser,
}) => {
  await tour(browser, await loud(), check);
});

test("mutes, blocks and filters at 200 %, and from right to left, stay within the window", async ({
  browser,
}) => {
  await tour(browser, await loud(), async (page, name) => {
    for (const [look, width, height, dir] of [
      ["double", 640, 450, "ltr"],
      ["double-phone", 180, 370, "ltr"],
      ["rtl", 360, 740, "rtl"],
      ["rtl-desktop", 1280, 900, "rtl"],
    ] as const) {
      // Other parts of these pages are wider than a phone at 200 %.
      if (/settings|profile/.test(name) && width < 320) continue;
      await page.setViewportSize({ width, height });
      await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
      await fits(page);
      const window = dialog(page);
      if (await window.isVisible()) {
        const button = window.locator("button.main");
        await button.scrollIntoViewIfNeeded();
        await expect(button, `${name} ${look}`).toBeInViewport({ ratio: 1 });
        await expect
          .poll(() => window.evaluate((box) => box.scrollWidth - box.clientWidth))
          .toBeLessThanOrEqual(0);
      }
      await page.screenshot({ path: `screenshots/${name}-${look}.png`, animations: "disabled" });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => (document.documentElement.dir = "ltr"));
  });
});
