import { expect } from "@playwright/test";
import { check } from "./look";
import { call, open, person, post, test, type Person } from "./people";

// The smallest picture: one pixel.
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
  "base64",
);

let ben: Person, tweet: { id: string }, trap: { id: string };

test.beforeAll(async () => {
  ben = await person("Ben");
  await call(ben, "PATCH", `/v1/users/${ben.id}`, { avatar: "https://faces.example/ben.png" });
  tweet = await post(ben, "See ![a shell](https://pixel.example/shell.png) over the river");
  trap = await post(
    ben,
    "![<ul srcset=https://trap.example/p.png x](/data/a.png) and ![](//trap.example/q.png)",
  );
});

test("pictures of other hosts load by a click alone", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  const loaded: string[] = [];
  await page.route(/\.example\//, (route) => {
    loaded.push(new URL(route.request().url()).host);
    return route.fulfill({ contentType: "image/png", body: pixel });
  });
  await page.goto(`/tweets/${tweet.id}`);
  const button = page.getByRole("button", { name: "Load the picture from pixel.example: a shell" });
  await expect(button).toBeInViewport();
  expect(loaded, "before a click").toEqual([]);
  await check(page, "foreign picture");
  await button.click();
  await expect(page.getByRole("img", { name: "a shell" })).toBeInViewport();
  await expect.poll(() => loaded).toEqual(["pixel.example"]);

  // A text of a picture that older browsers would write as an element.
  await page.addInitScript(() => {
    const html = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML")!;
    Object.defineProperty(Element.prototype, "innerHTML", {
      ...html,
      get(this: Element) {
        return (html.get!.call(this) as string)
          .replaceAll(/&lt;(?=[^<>]*")/g, "<")
          .replaceAll(/&gt;(?=[^<>]*")/g, ">");
      },
    });
  });
  await page.goto(`/tweets/${trap.id}`);
  await expect(page.locator("main .prose.large")).toBeInViewport();
  await expect(page.locator("main img[srcset]")).toHaveCount(0);
  expect(loaded, "by a text that reads as an element").toEqual(["pixel.example"]);

  await page.goto(`/users/${ben.id}`);
  await expect(page.getByRole("heading", { name: "Ben", exact: true })).toBeInViewport();
  expect(loaded, "on a profile").toEqual(["pixel.example"]);
  await page.getByRole("button", { name: "Load the picture from faces.example" }).click();
  await expect(page.locator("main img.avatar.large")).toBeInViewport();
  await expect.poll(() => loaded).toContain("faces.example");
});
