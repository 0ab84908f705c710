import { expect, type Locator } from "@playwright/test";
import { administrator, open, person, post, signedIn, test } from "./people";

// What lies over a page, or stands at its edge.

const phone = { viewport: { width: 360, height: 740 } };
const box = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().toJSON());

/** Returns whether two boxes have a point in common. */
const overlap = (a: DOMRect, b: DOMRect) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

test("on a phone the button to write covers nothing that is read, and messages end with their page", async ({
  browser,
}) => {
  const ann = await person("Ann");
  for (let n = 0; n < 14; n++) await post(ann, `Number ${n}. ${"More of it. ".repeat(12)}`);
  const page = await open(browser, ann, `/users/${ann.id}`, phone);
  const button = page.locator(".floating");
  await expect(page.getByText("Number 13")).toBeVisible();
  await expect(button).toBeInViewport();
  await page.mouse.move(180, 400);
  const wheel = async (by: number) => {
    const before = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, by);
    await expect.poll(() => page.evaluate(() => scrollY)).not.toBe(before);
  };
  await wheel(600);
  await expect(button).not.toBeInViewport();
  await wheel(-200);
  await expect(button).toBeInViewport({ ratio: 1 });
  // The last menu of the list stands above it.
  await expect(async () => {
    await page.mouse.wheel(0, 5000);
    await expect(page.locator(".end")).toBeInViewport({ timeout: 500 });
  }).toPass();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.keyboard.press("Tab");
  await button.focus();
  await expect(button).toBeInViewport({ ratio: 1 });
  const menu = page.locator("article").last().getByRole("button").last();
  expect(overlap(await box(menu), await box(button))).toBe(false);

  // A message lies over the bar, not over the new tweet, and goes with the page.
  await page.goto("/");
  await button.click();
  await page.getByRole("dialog").getByRole("textbox").first().fill("Just posted");
  await page.keyboard.press("Control+Enter");
  const said = page.locator("[data-sonner-toast]");
  await expect(said).toBeVisible();
  const tweet = page.getByText("Just posted", { exact: true }).first();
  await expect(tweet).toBeInViewport();
  await expect(said).toHaveAttribute("data-mounted", "true");
  expect(overlap(await box(tweet), await box(said))).toBe(false);
  await page.locator(".bottom a[href='/explore']").click();
  await expect(said).toHaveCount(0, { timeout: 3000 });
});

test("the tabs of a profile show on a phone that they go on; administrators find their pages", async ({
  browser,
}) => {
  const root = await administrator();
  const page = await open(browser, root, `/users/${root.id}/shares`, phone);
  const tabs = page.locator("nav.tabs");
  const chosen = tabs.locator("[aria-current=page]");
  const within = async () => {
    const [one, line] = [await box(chosen), await box(tabs)];
    return one.left >= line.left - 1 && one.right <= line.right + 1;
  };
  await expect(chosen).toHaveText("Shares");
  await expect.poll(within).toBe(true);
  await expect(tabs).toHaveClass(/before/);
  await tabs.evaluate((line) => (line.scrollLeft = 0));
  await expect(tabs).toHaveClass(/after/);
  const faded = () => tabs.evaluate((line) => getComputedStyle(line).getPropertyValue("--after"));
  await expect.poll(faded).toBe("2.5rem");
  await page.getByRole("link", { name: "Administration" }).click();
  await expect(page).toHaveURL(/\/admin$/);
});

test("a window's veil covers the whole page, which does not jump", async ({ browser }) => {
  const ann = await person("Ann");
  for (let n = 0; n < 8; n++) await post(ann, `Number ${n}. ${"More of it. ".repeat(40)}`);
  const own = await browser.browserType().launch({
    executablePath: process.env.HIBANA_BROWSER!,
    args: ["--no-sandbox"],
    ignoreDefaultArgs: ["--hide-scrollbars"],
  });
  try {
    const page = await signedIn(own, ann);
    await page.goto(`/users/${ann.id}`);
    const text = page.getByText("Number 7");
    await expect(text).toBeVisible();
    const before = await box(text);
    expect(await page.evaluate(() => innerWidth - document.documentElement.clientWidth)).toBe(15);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeVisible();
    expect((await box(text)).left).toBe(before.left);
    expect((await box(page.locator(".veil"))).width).toBe(await page.evaluate(() => innerWidth));
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect((await box(text)).left).toBe(before.left);
  } finally {
    await own.close();
  }
});

test("trends are named once, and beside the page alone where it has none itself", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await signedIn(browser, ann, { viewport: { width: 1280, height: 900 } });
  // As after the ranking of the next minute.
  await page.route("**/v1/trends*", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const uses = { useCount: 4, estimated: false, usualCount: 0 };
    answer.tags.unshift({ name: "lanterns", content: "lanterns", ...uses });
    await route.fulfill({ response, json: answer });
  });
  await page.goto("/bookmarks");
  const count = (name: string) => page.getByText(name, { exact: true }).count();
  const aside = page.getByRole("complementary");
  await expect(aside.getByRole("heading", { name: "Trends" })).toBeInViewport();
  expect(await count("Tags"), "the same list twice").toBe(0);
  await page.goto("/explore");
  await page.getByRole("button", { name: "Trends" }).click();
  await expect(page.locator(".column .taglist a").first()).toBeInViewport();
  expect(await count("Trends")).toBe(1);
});

test("a picture that does not load is its description, and a table scrolls in its own box", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const words = [
    "Kinds of sparks",
    "Colour of them",
    "Height in metres",
    "Price of a piece",
    "Where it is sold",
    "Remarks",
  ];
  const table = [words, words.map(() => "---"), words.map((word) => word.toUpperCase())]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
  const at = "https://pictures.test";
  await post(ann, `![Lanterns on the river](${at}/a.png) ![](${at}/b.png)\n\n${table}`);
  const page = await open(browser, ann, `/users/${ann.id}`, phone);
  await page.route(`${at}/**`, (route) => route.abort());
  const load = page.getByRole("button", { name: /^Load the picture from pictures.test/ });
  await load.first().click();
  await expect(load).toHaveCount(1);
  await load.click();
  await expect(page.locator(".nopicture")).toHaveText([
    "Lanterns on the river",
    "This picture did not load",
  ]);
  await expect(page.locator(".nopicture").first()).toBeInViewport({ ratio: 1 });
  await expect(page.locator(".prose img")).toHaveCount(0);
  const wide = page.getByRole("region", { name: "Table" });
  await expect(wide.getByRole("columnheader")).toHaveText(words);
  await expect(wide.getByRole("cell").first()).toBeInViewport();
  const last = wide.getByRole("cell").last();
  await expect(last).not.toBeInViewport();
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await over(), "the page itself is not wider").toBeLessThanOrEqual(0);
  await wide.focus();
  await wide.evaluate((box) => (box.scrollLeft = box.scrollWidth));
  await expect(last).toBeInViewport();
});
