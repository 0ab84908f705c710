import { expect, type Page } from "@playwright/test";
import { png } from "./files";
import { check } from "./look";
import { atHome, call, follows, open, person, post, test, tweetsOf, type Person } from "./people";

const dialog = (page: Page) => page.getByRole("dialog");
const inPlace = (page: Page) => page.locator(".inplace");
const line = (page: Page) => inPlace(page).getByRole("button", { name: /^What would you like/ });
const area = (page: Page) => inPlace(page).getByRole("textbox", { name: "New tweet" });
const send = (page: Page) => inPlace(page).getByRole("button", { name: "Post", exact: true });
const newest = async (who: Person) => call(who, "GET", `/v1/tweets/${(await tweetsOf(who))[0].id}`);
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

/** Brings a picture to a place of the page, as a hand does that drops it or pastes it. */
const bring = async (page: Page, where: string, how: "drop" | "paste") =>
  page.evaluate(
    ([bytes, where, how]) => {
      const data = new DataTransfer();
      data.items.add(
        new File([Uint8Array.from(bytes as number[])], "lantern.png", { type: "image/png" }),
      );
      const at = document.querySelector(where)!;
      const about = { bubbles: true, cancelable: true };
      if (how === "drop") {
        for (const kind of ["dragenter", "dragover", "drop"])
          at.dispatchEvent(new DragEvent(kind, { ...about, dataTransfer: data }));
      } else at.dispatchEvent(new ClipboardEvent("paste", { ...about, clipboardData: data }));
    },
    [[...png("lantern.png", [220, 60, 40]).buffer], where, how] as const,
  );

test("a tweet is written in its place at home by keys alone, and its audience and language are in one row", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  await expect(line(page)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("c");
  await expect(area(page)).toBeFocused();
  await expect(dialog(page)).toHaveCount(0);
  await page.keyboard.type("Lanterns on the river");
  const who = inPlace(page).getByRole("group", { name: "Audience and language" });
  await expect(who.getByLabel("Language")).toHaveValue("en");
  const tops = await who
    .locator("select")
    .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size);
  expect(tops, "one row").toBe(1);
  await page.keyboard.press("Escape");
  await expect(line(page)).toBeFocused();
  await expect(line(page)).toContainText("Lanterns on the river");
  await page.keyboard.press("Enter");
  await expect(area(page)).toBeFocused();
  await expect(area(page)).toHaveValue("Lanterns on the river");
  await who.getByLabel("Who may see it").selectOption("Followers");
  await who.getByLabel("Who may reply").selectOption("People I follow");
  await who.getByLabel("Language").selectOption("Japanese");
  await area(page).focus();
  await page.keyboard.press("Control+Enter");
  await expect(line(page)).toBeFocused();
  await expect(page.getByRole("feed").getByText("Lanterns on the river")).toBeInViewport();
  expect(await newest(ann)).toMatchObject({
    content: "Lanterns on the river",
    visibility: "followers",
    replyPolicy: "following",
    language: "ja",
  });
  // The language is remembered, and the audience is not.
  await page.reload();
  await line(page).click();
  await expect(who.getByLabel("Language")).toHaveValue("ja");
  await expect(who.getByLabel("Who may see it")).toHaveValue("public");
});

test("a reply is written under its tweet", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const tweet = await post(ben, "Who comes to the fireworks?");
  const page = await open(browser, ann, `/tweets/${tweet.id}`);
  await inPlace(page)
    .getByRole("button", { name: `Reply to @${ben.name}` })
    .click();
  await area(page).fill("I do");
  await send(page).click();
  await expect(page.getByRole("region", { name: "Replies" }).getByText("I do")).toBeVisible();
  expect((await newest(ann)).replyTo).toBe(tweet.id);
});

for (const how of ["drop", "paste"] as const)
  test(`pictures come by ${how} onto the field, and ask for a description beside them`, async ({
    browser,
  }) => {
    const ann = await person("Ann");
    const page = await open(browser, ann, "/", { viewport: { width: 360, height: 740 } });
    await line(page).focus();
    await bring(page, ".inplaceline", how); // onto the line that is no form yet
    await expect(inPlace(page).locator(".attached li")).toHaveCount(1);
    await bring(page, ".inplace textarea", how);
    await expect(inPlace(page).locator(".attached li")).toHaveCount(2);
    await expect(inPlace(page).getByText("2 files have no description.")).toBeVisible();
    await inPlace(page).getByLabel("Add a description").first().fill("A red lantern");
    await expect(inPlace(page).getByText("1 file has no description.")).toBeVisible();
    await fits(page);
    await expect(page.locator(".floating")).toBeHidden();
    await send(page).click(); // a description that is missing stops nobody
    await expect(line(page)).toBeVisible({ timeout: 30_000 });
    const { media } = await newest(ann);
    expect(media.map(({ alt }: { alt: string }) => alt)).toEqual(["A red lantern", ""]);
  });

test("emoji are found by their names, English and Japanese, by keys, and go where the caret is", async ({
  browser,
}) => {
  const ann = await person("Ann");
  for (const [locale, button, word] of [
    ["en-US", "Emoji", "sparkler"],
    ["ja-JP", "絵文字", "花火"],
  ] as const) {
    const page = await open(browser, ann, "/", { locale, viewport: { width: 360, height: 740 } });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await expect(inPlace(page).getByRole("button")).toBeVisible();
    await page.keyboard.press("c");
    const field = inPlace(page).locator(".compose textarea").first(); // no line that waits for it
    await field.fill("ab");
    await field.evaluate((at: HTMLTextAreaElement) => at.setSelectionRange(1, 1));
    expect(asked.filter((url) => url.endsWith(".json"))).toEqual([]);
    await inPlace(page).getByRole("button", { name: button }).press("Enter");
    const search = page.locator("emoji-picker").getByRole("combobox");
    await expect(search).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.locator("emoji-picker")).toHaveCount(0);
    await expect(field).toBeFocused();
    await inPlace(page).getByRole("button", { name: button }).press("Enter");
    await expect(search).toBeFocused();
    await page.keyboard.type(word);
    await expect(page.locator("emoji-picker").getByRole("option").first()).toHaveAccessibleName(
      new RegExp(word),
    );
    await fits(page);
    await page.screenshot({ path: `screenshots/emoji-${locale}.png` });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(/^a[🎆🎇]b$/u);
    const origin = new URL(page.url()).origin;
    expect(asked.filter((url) => url.endsWith(".json")).length).toBeGreaterThan(0);
    expect(asked.filter((url) => /emoji|data-/.test(url) && !url.startsWith(origin))).toEqual([]);
  }
});

test("what was begun is found again after a reload, in Drafts, and two tabs do not mix", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const first = await open(browser, ann);
  const second = await first.context().newPage();
  await second.goto("/");
  await line(first).click();
  await line(second).click();
  await area(first).fill("Begun in the first tab");
  await area(second).fill("Begun in the second tab");
  await area(first).fill("Begun in the first tab, and more");
  for (const [page, text] of [
    [first, "Begun in the first tab, and more"],
    [second, "Begun in the second tab"],
  ] as const) {
    await page.reload();
    await expect(line(page)).toContainText(text);
    await line(page).click();
    await expect(area(page)).toHaveValue(text);
  }
  const third = await first.context().newPage();
  await third.goto("/drafts");
  const here = third.getByRole("region", { name: "Only in this browser" });
  await expect(here.getByRole("listitem")).toHaveCount(2);
  await here.getByRole("button", { name: "Begun in the second tab" }).click();
  await dialog(third).getByRole("button", { name: "Post", exact: true }).click();
  await expect(here.getByRole("listitem")).toHaveCount(1);
  // The tab that had it has it no more, and posts it no second time.
  await expect(area(second)).toHaveValue("");
  await expect(area(first)).toHaveValue("Begun in the first tab, and more");
  await here.getByRole("button", { name: "Delete" }).click();
  await expect(here).toHaveCount(0);
  await third.getByRole("button", { name: "Undo" }).click();
  await expect(here.getByRole("listitem")).toHaveCount(1);
});

test("an edit shows beside its text how it will look, and stays in the history", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const { id } = await post(ann, "A **bold** lantern");
  const page = await open(browser, ann, `/tweets/${id}`);
  await page.getByRole("button", { name: "More", exact: true }).first().click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const preview = dialog(page).getByRole("region", { name: "Preview" });
  await expect(preview.locator("strong")).toHaveText("bold");
  await dialog(page).getByRole("textbox").first().fill("A **bright** lantern");
  await expect(preview.locator("strong")).toHaveText("bright");
  await dialog(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);
  const { items } = await call(ann, "GET", `/v1/tweets/${id}/revisions`);
  expect(items.map(({ content }: { content: string }) => content)).toContain("A **bold** lantern");
  // An edit that was opened and not touched is no draft.
  await page.goto("/drafts");
  await expect(page.getByText("No drafts")).toBeVisible();
});

test("the ring says what it means, and polls and times say their limits", async ({ browser }) => {
  const page = await open(browser, await person("Ann"));
  await line(page).click();
  await area(page).fill("x".repeat(279));
  await expect(inPlace(page).getByRole("img", { name: /279 characters/ })).toBeVisible();
  await expect(inPlace(page).getByText(/^Lists show/)).toHaveCount(0);
  await area(page).fill("x".repeat(1281));
  await expect(
    inPlace(page).getByText("Lists show the first 280 of 1,281 characters."),
  ).toBeVisible();
  await inPlace(page).getByRole("button", { name: "Poll" }).click();
  await inPlace(page).getByLabel("Option 1").fill("Gold");
  await send(page).click();
  await expect(inPlace(page).getByRole("alert")).toHaveText("A poll needs at least two options.");
  await inPlace(page).getByRole("button", { name: "Poll" }).click();
  await inPlace(page).getByRole("button", { name: "Options" }).click();
  await inPlace(page).getByLabel("Post it at").fill("2020-01-01T10:00");
  await area(page).focus();
  await page.keyboard.press("Control+Enter");
  await expect(inPlace(page).getByRole("alert")).toHaveText(
    "Choose a time within the next 366 days.",
  );
});

test("the form in its place: accessible in every look, in Japanese, in Arabic, and at 200 %", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await atHome(ann, await post(ben, "A tweet below the form"));
  const page = await open(browser, ann);
  await check(page, "in place, closed");
  await line(page).click();
  await area(page).fill("نص (قوس).");
  expect(await area(page).evaluate((field) => getComputedStyle(field).unicodeBidi)).toBe(
    "plaintext",
  );
  await inPlace(page).getByRole("button", { name: "Preview" }).click();
  await check(page, "in place");
  await page.setViewportSize({ width: 640, height: 450 }); // 1280 by 900 at 200 %
  await area(page).focus();
  await expect(area(page)).toBeInViewport();
  await send(page).scrollIntoViewIfNeeded();
  await expect(send(page)).toBeInViewport({ ratio: 1 });
  await fits(page);
  const japanese = await open(browser, ann, "/", {
    locale: "ja-JP",
    viewport: { width: 360, height: 740 },
  });
  await inPlace(japanese)
    .getByRole("button", { name: /^いま、伝えたいことは/ })
    .click();
  await expect(inPlace(japanese).getByLabel("言語", { exact: true })).toHaveValue("ja");
  await fits(japanese);
  await japanese.screenshot({ path: "screenshots/in-place-ja.png" });
});

test("recipients that an app gave a draft stay when its text is edited here", async ({
  browser,
}) => {
  const [ann, ben, cyd] = [await person("Ann"), await person("Ben"), await person("Cyd")];
  const both = [ben.id, cyd.id].sort();
  const { id } = await call(ann, "POST", "/v1/drafts", {
    content: `For two @${ben.name} @${cyd.name}`,
    to: [ben.id],
    cc: [cyd.id],
    language: "de",
  });
  const page = await open(browser, ann, "/drafts");
  await page.getByRole("button", { name: "For two" }).click();
  await expect(dialog(page).getByLabel("Who may see it")).toHaveValue("named");
  await dialog(page)
    .getByRole("textbox", { name: "New tweet" })
    .fill(`For you two @${ben.name} @${cyd.name}`);
  await dialog(page).getByRole("button", { name: "Keep as a draft" }).click();
  await expect(dialog(page)).toHaveCount(0);
  const kept = await call(ann, "GET", `/v1/drafts/${id}`);
  expect([...(kept.to ?? [])].sort()).toEqual(both); // the long form of people alone
  expect(kept.language).toBe("de");
  expect(kept.content).toContain("For you two");

  await page.getByRole("button", { name: "For you two" }).click();
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/publish"));
  await dialog(page).getByRole("button", { name: "Post", exact: true }).click();
  const posted = (await (await answered).json()) as { id: string };
  const tweet = await call(ann, "GET", `/v1/tweets/${posted.id}`);
  expect(tweet.visibility).toBe("mentioned");
  expect([...tweet.to].sort()).toEqual(both);
});
