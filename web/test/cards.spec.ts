import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { png } from "./files";
import { check } from "./look";
import { call, follows, open, person, post, test, until } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const of = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text });

// A site of somebody else, which counts who asks for what.
const asked: { path: string; agent: string }[] = [];
const article =
  "花火の夜は川のほとりで、とても長い題名がここに続きます。".repeat(4) +
  "Supercalifragilistic".repeat(6);
let site: Server;
let at: string;

test.beforeAll(async () => {
  site = createServer((request, answer) => {
    const path = request.url ?? "";
    asked.push({ path, agent: request.headers["user-agent"] ?? "" });
    if (path === "/p.png")
      return answer.end(png("p.png", [200, 60, 30], { width: 800, height: 420 }).buffer);
    answer.setHeader("Content-Type", "text/html; charset=utf-8");
    answer.end(
      path === "/arabic"
        ? `<html lang="ar" dir="rtl"><title>ألعاب نارية فوق النهر الليلة</title>
           <meta name="description" content="وصف قصير للصفحة">`
        : `<html lang="ja"><meta property="og:title" content="${article} &lt;img src=x onerror=alert(1)&gt;">
           <meta property="og:description" content="${"A long description. ".repeat(30)}">
           <meta property="og:image" content="/p.png">`,
    );
  });
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
  at = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
test.afterAll(() => void site.close());

/** Waits until the API has the card of a page. */
const known = (path: string) =>
  until(async () => {
    const { card } = await call(
      undefined,
      "GET",
      `/v1/linkCards?url=${encodeURIComponent(at + path)}`,
    );
    return card !== undefined;
  });

test("a post shows the card of its link, with a picture of ours, on a phone and in every direction", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await post(ben, `Look at [this page](${at}/a) and [that](${at}/b)`);
  await post(ben, `An [Arabic page](${at}/arabic)`);
  const warned = await post(ben, `A [hidden page](${at}/a)`, { summary: "Spoiler" });
  await post(ben, `A [private page](${at}/private)`, { visibility: "followers" });
  await known("/a");
  await known("/arabic");
  const before = asked.length;

  const page = await open(browser, ann, `/users/${ben.id}`, phone);
  const card = of(page, "Look at").locator(".linkcard");
  await card.scrollIntoViewIfNeeded();
  await expect(card).toBeInViewport({ ratio: 1 });
  await expect(card).toContainText("花火の夜");
  await expect(card.locator("bdi")).toHaveText(new URL(at).host);
  await expect(card).toHaveAttribute("href", `${at}/a`);
  await expect(card).toHaveAttribute("rel", /noopener noreferrer/);
  const picture = card.locator("img");
  await expect(picture).toHaveAttribute("src", /^data:image\/jpeg;base64,/);
  await expect.poll(() => picture.evaluate((i: HTMLImageElement) => i.naturalWidth)).toBe(400);

  // Two lines each, whatever the page says.
  for (const part of ["strong", ".about"]) {
    const lines = await card.locator(part).evaluate((e) => {
      const style = getComputedStyle(e);
      const line = parseFloat(style.lineHeight) || parseFloat(style.fontSize) * 1.5;
      return e.clientHeight / line;
    });
    expect(lines).toBeLessThan(2.6);
  }
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await wide()).toBeLessThanOrEqual(0);

  const arabic = of(page, "Arabic page").locator(".linkcard strong");
  await arabic.scrollIntoViewIfNeeded();
  await expect(arabic).toBeInViewport();
  expect(await arabic.evaluate((e) => getComputedStyle(e).direction)).toBe("rtl");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await card.scrollIntoViewIfNeeded();
  await expect(card).toBeInViewport({ ratio: 1 });
  expect(await wide()).toBeLessThanOrEqual(0);
  await page.evaluate(() => (document.documentElement.dir = "ltr"));
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  await card.scrollIntoViewIfNeeded();
  await expect(card).toBeInViewport();
  // Other parts of the page are wider than a phone at 200 %.
  const box = (await card.boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(360);
  await page.evaluate(() => (document.documentElement.style.fontSize = ""));
  await check(page, "cards of links");

  // A warned post asks for nothing until it is opened, and a post for followers never.
  const hidden = of(page, "Spoiler");
  await expect(hidden.locator(".linkcard")).toHaveCount(0);
  await hidden.getByRole("button", { name: "Show" }).first().click();
  await expect(hidden.locator(".linkcard")).toBeVisible();
  await expect(of(page, "private page")).toBeVisible();
  await expect(of(page, "private page").locator(".linkcard")).toHaveCount(0);

  // The site never saw the reader, the second link, or the private one.
  expect(asked.length).toBe(before);
  expect(asked.map((r) => r.path)).not.toContain("/b");
  expect(asked.map((r) => r.path)).not.toContain("/private");
  expect(asked.every((r) => r.agent.startsWith("Hibana/"))).toBe(true);

  await page.goto(`/tweets/${warned.id}`);
  await expect(page.locator(".linkcard")).toHaveCount(0);
});
