import { expect, type Locator } from "@playwright/test";
import { call, open, person, post, test, until } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const name = "نور الهدى!";
const text = "أضواء فوق النهر!";

/**
 * Returns whether a text goes from right to left: its first letter stands right of its last sign,
 * which is an exclamation mark.
 */
const leftward = (within: Locator, said: string) =>
  within.evaluate((root, said) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent!.indexOf(said);
      if (at < 0) continue;
      const x = (offset: number) => {
        const range = document.createRange();
        range.setStart(node, at + offset);
        range.setEnd(node, at + offset + 1);
        const box = range.getBoundingClientRect();
        return box.width > 0 ? box.x : NaN;
      };
      return x(said.length - 1) < x(0);
    }
    return undefined;
  }, said);

const goesLeft = (within: Locator, said: string, what: string) =>
  expect.poll(() => leftward(within, said), what).toBe(true);

test("Arabic goes from right to left in names, excerpts, warnings, titles and menus", async ({
  browser,
}) => {
  const [ann, nour] = [await person("Ann"), await person("Nour")];
  await call(nour, "PATCH", "/v1/users/me", { nickname: name });
  const list = await call(ann, "POST", "/v1/lists", { title: text, visibility: "public" });
  await call(ann, "PUT", `/v1/lists/${list.id}/members/${nour.id}`);
  const root = await post(ann, "What do you see?");
  const said = await post(nour, text, { replyTo: root.id });
  await post(nour, "A spoiler", { summary: text });
  await post(ann, "Look here", { quoteOf: said.id });
  await until(async () =>
    (await call(ann, "GET", "/v1/notifications")).items.some((one: any) => one.excerpt),
  );

  const page = await open(browser, ann, `/users/${nour.id}`, phone);
  await goesLeft(page.getByRole("main").locator(".profile h2"), name, "the name in its profile");
  await goesLeft(page.locator(".warning"), text, "a content warning");
  await page.getByRole("button", { name: /^More/ }).first().click();
  await goesLeft(page.getByRole("menu"), name, "a name in a menu");
  await page.getByRole("menuitem", { name: /list/i }).click();
  await goesLeft(page.getByRole("dialog"), text, "the title of a list in a window");

  await page.goto("/notifications");
  await goesLeft(page.locator(".told .excerpt").first(), text, "an excerpt");
  await goesLeft(page.locator(".told p").first(), name, "a name in a sentence");
  await page.goto(`/users/${ann.id}`);
  await goesLeft(page.locator("a.quoted .by"), name, "who is quoted");
  await goesLeft(page.locator("a.quoted .prose"), text, "what is quoted");
  await page.goto(`/users/${ann.id}/lists/${list.id}`);
  await goesLeft(page.locator(".top"), text, "the title of a list");
});

test("the public page of an Arabic tweet goes from right to left", async ({ browser }) => {
  const nour = await person("Nour");
  await call(nour, "PATCH", "/v1/users/me", { nickname: name });
  const { id } = await post(nour, `${text}\n\nIn English, too.\n\n${text}`);
  const html = await (await fetch(`${process.env.HIBANA_URL}/@${nour.name}/${id}?public`)).text();
  const page = await (await browser.newContext(phone)).newPage();
  await page.setContent(html);
  const article = page.locator("article");
  const box = (of: Locator) => of.evaluate((e) => e.getBoundingClientRect());
  await goesLeft(article.locator(".text p").first(), text, "the first paragraph");
  await goesLeft(article.locator(".text p").last(), text, "the last paragraph");
  await goesLeft(article.locator(".by b"), name, "the name");
  // Who wrote it stands at the right, where the text begins, and the time at the left.
  const [all, by, at] = [
    await box(article),
    await box(article.locator(".by b")),
    await box(article.locator(".at")),
  ];
  expect(all.right - by.right, "who wrote it").toBeLessThan(60);
  expect(at.left - all.left, "when").toBeLessThan(60);
  const english = await article
    .locator(".text p")
    .nth(1)
    .evaluate((p) => {
      const range = document.createRange();
      range.selectNodeContents(p);
      return range.getBoundingClientRect().left;
    });
  expect(english - all.left, "an English paragraph begins at the left").toBeLessThan(20);
});
