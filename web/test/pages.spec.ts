import { expect } from "@playwright/test";
import { check } from "./look";
import {
  call,
  follows,
  fresh,
  open,
  person,
  post,
  test,
  until,
  type Person,
  write,
} from "./people";

let ann: Person, ben: Person, tweet: { id: string };

test.beforeAll(async () => {
  [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await follows(ben, ann);
  tweet = await post(
    ben,
    "A **burst** over the [river](https://example.com) #hibana #花火\n\n* gold\n* blue\n\n`fuse()`",
  );
  const reply = await post(ann, "Saw it from the bridge!", { replyTo: tweet.id });
  await post(ben, "Me too.", { replyTo: reply.id });
  await post(ben, "Loud and bright", { summary: "Noise" });
  const mine = await post(ann, "Quoting this one", { quoteOf: tweet.id });
  await call(ben, "PUT", `/v1/tweets/${mine.id}/like`);
  await call(ann, "PUT", `/v1/tweets/${tweet.id}/bookmark`);
  await call(ann, "POST", "/v1/drafts", { content: "A draft for later" });
  await until(async () => (await call(ann, "GET", "/v1/timeline")).items.length >= 3);
  await until(async () => (await call(ann, "GET", "/v1/notifications")).items.length >= 2);
});

const pages: [string, () => string, string | RegExp][] = [
  ["home", () => "/", "Loud and bright|Noise"],
  ["thread", () => `/tweets/${tweet.id}`, "Saw it from the bridge"],
  ["profile", () => `/users/${ben.id}`, "Joined "],
  ["followers", () => `/users/${ben.id}/followers`, "Ann"],
  ["notifications", () => "/notifications", "liked your tweet"],
  ["bookmarks", () => "/bookmarks", "burst"],
  ["explore", () => "/explore", "Latest"],
  ["search", () => "/explore?q=burst", "burst"],
  ["tag", () => "/tags/hibana", "burst"],
  ["drafts", () => "/drafts", "A draft for later"],
  ["settings", () => "/settings", "Appearance"],
];

// One page load for all looks, and halves for two workers.
for (const some of [pages.slice(0, 6), pages.slice(6)]) {
  test(`pages, in every look: accessible, as wide as the window, photographed: ${some.map(([name]) => name).join(", ")}`, async ({
    browser,
  }) => {
    const page = await open(browser, ann);
    for (const [name, path, text] of some) {
      await page.goto(path());
      await expect(page.locator("main").getByText(new RegExp(text)).first()).toBeVisible();
      await expect(page.locator("aside"), "what waits for the page").toBeAttached();
      await check(page, name);
    }
  });
}

test("the door and the window to write in, in every look: accessible, as wide as the window, photographed", async ({
  browser,
}) => {
  const door = await fresh(browser);
  await door.goto("/");
  await expect(door.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await check(door, "door");
  const page = await open(browser, ann);
  await expect(page.getByRole("article").first()).toBeVisible();
  await write(page);
  await expect(page.getByRole("dialog")).toBeVisible();
  await check(page, "compose");
});

test(
  "in Japanese, with its words and dates",
  { tag: ["@short", "@firefox"] },
  async ({ browser }) => {
    const page = await open(browser, ann, "/settings", { locale: "ja-JP" });
    await expect(page.getByRole("heading", { name: "設定" })).toBeVisible();
    await page.getByRole("combobox", { name: "言語", exact: true }).selectOption("en");
    await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  },
);

test("an unknown page says so, and a tweet that is not there", async ({ browser }) => {
  const page = await open(browser, ann, "/no/such/page");
  await expect(page.getByText("There is no such page")).toBeVisible();
  await page.goto("/tweets/000000000000000000");
  await expect(page.getByText("This tweet does not exist, or you cannot see it.")).toBeVisible();
});
