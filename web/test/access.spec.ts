import { expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { violations } from "./look";
import {
  administrator,
  call,
  follows,
  open,
  person,
  post,
  test,
  until,
  type Person,
} from "./people";

let ann: Person, ben: Person, admin: Person;
const at: Record<string, string> = {};

test.beforeAll(async () => {
  [ann, ben, admin] = [await person("Ann"), await person("Ben"), await administrator()];
  await follows(ann, ben);
  await follows(ben, ann);
  const tweet = await post(ben, "A burst over the river #hibana\n\n`fuse()`", {
    poll: { options: ["gold", "blue"], minutes: 60 },
  });
  const reply = await post(ann, "Saw it from the bridge!", { replyTo: tweet.id });
  await post(ben, "Quoting", { quoteOf: reply.id, summary: "Noise" });
  const list = await call(ann, "POST", "/v1/lists", { title: "Makers" });
  const talk = await call(ann, "POST", "/v1/conversations", {
    memberIds: [ben.id],
    text: "Hello",
  });
  await call(ann, "POST", "/v1/drafts", { content: "A draft for later" });
  await call(ann, "PUT", `/v1/tweets/${tweet.id}/bookmark`);
  Object.assign(at, {
    thread: `/tweets/${tweet.id}`,
    reply: `/tweets/${reply.id}`,
    quotes: `/tweets/${reply.id}/quotes`,
    list: `/users/${ann.id}/lists/${list.id}`,
    conversation: `/messages/${talk.id}`,
  });
  await until(async () => (await call(ann, "GET", "/v1/timeline")).items.length >= 2);
  await until(async () => (await call(ann, "GET", "/v1/notifications")).items.length >= 1);
});

const pages = () => [
  "/",
  at["thread"]!,
  at["reply"]!,
  at["quotes"]!,
  `/users/${ben.id}`,
  `/users/${ben.id}/media`,
  `/users/${ben.id}/followers`,
  `/users/${ann.id}/lists`,
  at["list"]!,
  "/notifications",
  "/notifications/requests",
  "/messages",
  at["conversation"]!,
  "/bookmarks",
  "/explore",
  "/explore?q=burst",
  "/tags/hibana",
  "/people/find",
  "/lists",
  "/drafts",
  "/held",
  "/settings",
  "/settings/account",
  "/settings/filters",
  "/settings/muted",
  "/settings/decisions",
  "/settings/announcements",
  "/shop",
  "/cart",
  "/orders",
  "/about",
  "/no/such/page",
];

const administration = () =>
  [
    "",
    "/appeals",
    "/products",
    "/orders",
    "/announcements",
    "/users",
    "/signups",
    "/invitations",
    "/agents",
    "/trends",
    "/instance",
  ].map((part) => `/admin${part}`);

// Waits until a page is there: its heading, and nothing that loads.
async function there(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
}

/** Returns what keeps a page from being used when it is enlarged, or by its parts alone. */
const faults = (page: Page) =>
  page.evaluate(() => {
    const all: string[] = [];
    const over = document.documentElement.scrollWidth - innerWidth;
    if (over > 0) {
      const wide = [...document.querySelectorAll("main *")].filter(
        (part) => part.getBoundingClientRect().right > innerWidth + 1,
      );
      all.push(
        `${over} px wider than the window: ${wide
          .slice(0, 2)
          .map((part) => `${part.tagName}.${part.className}`)
          .join(", ")}`,
      );
    }
    if (document.querySelectorAll("h1").length !== 1)
      all.push(`${document.querySelectorAll("h1").length} headings of the first level`);
    // What sticks to the window must leave room for what scrolls under it.
    const stuck = [...document.querySelectorAll("body *")].filter((part) => {
      const { position } = getComputedStyle(part);
      const box = part.getBoundingClientRect();
      return (
        (position === "fixed" || position === "sticky") &&
        box.bottom > 0 &&
        box.width > innerWidth / 2 &&
        box.top < innerHeight
      );
    });
    const taken = stuck.reduce((sum, part) => sum + part.getBoundingClientRect().height, 0);
    if (taken > innerHeight / 2)
      all.push(
        `${Math.round(taken)} of ${innerHeight} px stick: ${stuck.map((s) => s.className).join(", ")}`,
      );
    return all;
  });

for (const [who, some] of [
  ["a user, first half", () => pages().slice(0, 16)],
  ["a user, second half", () => pages().slice(16)],
  ["an administrator", administration],
] as const) {
  test(`every page of ${who}: at 200 and 400 %, with wide text, and by the rules of WCAG 2.2 AA`, async ({
    browser,
  }) => {
    const page = await open(browser, who === "an administrator" ? admin : ann, "/about");
    const found: Record<string, string[]> = {};
    for (const path of some()) {
      await page.setViewportSize({ width: 360, height: 740 });
      await there(page, path);
      await page.evaluate(axe.source);
      // What is under the bar at the top just now comes out by scrolling.
      const about = (await violations(page, undefined, true)).filter(
        (one) => !(one.startsWith("target-size: ") && one.includes("partially obscured")),
      );
      for (const [width, height] of [
        [640, 512], // 1280 by 1024 at 200 %
        [320, 256], // at 400 %
      ] as const) {
        await page.setViewportSize({ width, height });
        about.push(...(await faults(page)).map((fault) => `${width} px: ${fault}`));
      }
      // WCAG 1.4.12: a reader may set these, and loses nothing.
      await page.addStyleTag({
        content:
          "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }" +
          "p { margin-bottom: 2em !important }",
      });
      about.push(...(await faults(page)).map((fault) => `wide text: ${fault}`));
      if (about.length > 0) found[path] = about;
    }
    expect(found).toEqual({});
  });
}

// Presses Tab until a part has the focus, and returns how often. On the way every part that has it
// must be seen: in the window, under nothing, and with an outline.
async function tabTo(page: Page, name: RegExp, most = 60): Promise<number> {
  for (let n = 1; n <= most; n++) {
    await page.keyboard.press("Tab");
    const is = await page.evaluate(() => {
      const part = document.activeElement as HTMLElement;
      const box = part.getBoundingClientRect();
      const style = getComputedStyle(part);
      const marked = style.outlineStyle !== "none" || style.boxShadow !== "none";
      const held = getComputedStyle(part.parentElement!);
      const over = document.elementFromPoint(
        Math.min(innerWidth - 1, Math.max(0, box.left + box.width / 2)),
        Math.min(innerHeight - 1, Math.max(0, box.top + Math.min(box.height, innerHeight) / 2)),
      );
      return {
        name: part.getAttribute("aria-label") ?? part.textContent ?? "",
        html: part.outerHTML.slice(0, 120),
        marked: marked || held.outlineStyle !== "none",
        seen:
          box.bottom > 0 && box.top < innerHeight && (part.contains(over) || over!.contains(part)),
      };
    });
    expect(is.marked, `${is.html} shows that it has the focus`).toBe(true);
    expect(is.seen, `${is.html} is in the window, under nothing`).toBe(true);
    if (name.test(is.name)) return n;
  }
  throw new Error(`no Tab leads to ${name}`);
}

test("with the keyboard alone: skip to the page, open a thread, like it, and answer", async ({
  browser,
}) => {
  const page = await open(browser, ann);
  await expect(page.getByRole("article").first()).toBeVisible();
  expect(await tabTo(page, /^Skip to/)).toBe(1);
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  await tabTo(page, /^Like/);
  await page.keyboard.press("Enter");
  await expect(page.locator("button[aria-pressed=true]").first()).toBeFocused();
  await page.goto(at["thread"]!);
  await expect(page.getByRole("article").first()).toBeVisible();
  await tabTo(page, /^Reply/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox").first()).toBeFocused();
  await page.keyboard.type("By the keyboard");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("By the keyboard")).toBeVisible();
});

test("single keys do nothing for a reader who has switched them off", async ({ browser }) => {
  const page = await open(browser, ann, "/settings");
  await page.getByRole("switch", { name: /single key/ }).click();
  await page.goto("/");
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.keyboard.press("?");
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goto("/settings");
  await page.getByRole("switch", { name: /single key/ }).click();
  await page.keyboard.press("Tab");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("nothing moves for a reader who asks for that", async ({ browser }) => {
  const page = await open(browser, ann, "/", { reducedMotion: "reduce" });
  await expect(page.getByRole("article").first()).toBeVisible();
  const moving = () =>
    page.evaluate(
      () =>
        document.getAnimations().filter((one) => {
          const { duration, iterations } = one.effect!.getComputedTiming();
          return Number(duration) > 1 || iterations === Infinity;
        }).length,
    );
  await page.getByRole("button", { name: /^Like/ }).first().click();
  expect(await moving()).toBe(0);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await moving()).toBe(0);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe(
    "auto",
  );
});

// Closes a window, and waits until its entry in the history is gone: a page that is opened meanwhile
// would not come.
async function closed(page: Page) {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect
    .poll(() => page.evaluate(() => (history.state as { window?: number })?.window))
    .toBe(undefined);
}

test("menus, windows and forms in use: by the rules of WCAG 2.2 AA on a phone", async ({
  browser,
}) => {
  const page = await open(browser, ann, at["thread"], { viewport: { width: 360, height: 740 } });
  const found: Record<string, string[]> = {};
  const look = async (state: string) => {
    await page.evaluate(axe.source);
    // A menu stands above the page, in no landmark of it.
    const about = (await violations(page, undefined, true)).filter(
      (one) => !one.startsWith("region: "),
    );
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) about.push(`${over} px wider than the window`);
    if (about.length > 0) found[state] = about;
  };
  const menu = () =>
    page.getByRole("article").first().getByRole("button", { name: "More" }).click();
  await menu();
  await expect(page.getByRole("menu")).toBeVisible();
  await look("the menu of a tweet");
  await page.getByRole("menuitem", { name: "Report" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await look("a report");
  await closed(page);
  for (const item of [/^Mute Ben/, /^Block/]) {
    await page.goto(`/users/${ben.id}`);
    await page.getByRole("button", { name: /^More about/ }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look(String(item));
    await closed(page);
  }
  await page.goto("/explore");
  await page.getByRole("button", { name: "Post", exact: true }).last().click();
  const form = page.getByRole("dialog");
  await form.getByRole("textbox").first().fill("A form in use, to @");
  await page.keyboard.type(ben.name.slice(0, 4));
  await expect(form.getByRole("option", { name: ben.name }).first()).toBeVisible();
  await look("names that complete");
  await page.keyboard.press("Escape");
  await form.getByRole("button", { name: "Poll" }).click();
  await form.getByRole("button", { name: "Content warning" }).click();
  await form.getByRole("button", { name: "Options" }).click();
  await look("the form to write in, with everything");
  await form.getByRole("button", { name: "Emoji" }).click();
  await expect(page.locator("emoji-picker")).toBeVisible();
  await look("the picker of emoji");
  await page.goto(at["conversation"]!);
  await page.getByRole("button", { name: "About this conversation" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await look("about a conversation");
  expect(found).toEqual({});
});
