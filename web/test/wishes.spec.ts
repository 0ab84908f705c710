import { expect, type Page } from "@playwright/test";
import {
  administrator,
  atHome,
  call,
  follows,
  open,
  person,
  post,
  test,
  until,
  type Person,
} from "./people";

const isGone = (who: Person, id: string) =>
  call(who, "GET", `/v1/tweets/${id}`).then(
    () => false,
    (failure: Error) => failure.message.includes("410"),
  );

// later holds back what is sent to an address, until it is let go.
async function later(
  page: Page,
  path: string,
  method: string,
  then: "continue" | "fail",
): Promise<() => void> {
  let go = () => {};
  const gone = new Promise<void>((resolve) => (go = resolve));
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    await gone;
    if (then === "continue") return route.continue();
    await route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: JSON.stringify({
        status: 500,
        code: "internal",
        title: "",
        detail: "",
        type: "about:blank",
      }),
    });
  });
  return go;
}

test("a like that fails takes back itself alone: not another like, and no page that was loaded meanwhile", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const many: { id: string }[] = [];
  for (let n = 0; n < 25; n++) many.push(await post(ben, `Number ${n} of many.`));
  await atHome(ann, ...many);
  const page = await open(browser, ann);
  const article = (n: number) =>
    page.getByRole("article").filter({ hasText: `Number ${n} of many.` });
  await expect(article(24)).toBeVisible();
  const go = await later(page, `**/v1/tweets/${many[24]!.id}/like`, "PUT", "fail");
  await article(24)
    .getByRole("button", { name: /^Like, / })
    .click();
  await expect(article(24).getByRole("button", { name: "Unlike, 1 like" })).toBeVisible();
  await article(23)
    .getByRole("button", { name: /^Like, / })
    .click();
  await until(async () => (await call(ann, "GET", `/v1/tweets/${many[23]!.id}`)).liked);
  await page.keyboard.press("End");
  await expect(async () => {
    await page.keyboard.press("End");
    await expect(article(0)).toBeInViewport({ timeout: 500 });
  }).toPass();
  go();
  await expect(page.getByText("Something went wrong on our side. Try again.")).toBeVisible();
  await expect(article(0)).toBeInViewport();
  await page.evaluate(() => scrollTo(0, 0));
  await expect(article(24).getByRole("button", { name: "Like, 0 likes" })).toBeInViewport();
  await expect(article(23).getByRole("button", { name: "Unlike, 1 like" })).toBeInViewport();
});

test(
  "after two quick clicks the page and the API say the same: the last click",
  { tag: ["@short", "@firefox"] },
  async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    const tweet = await post(ben, "On and off");
    const page = await open(browser, ann, `/tweets/${tweet.id}`);
    const acts = page.getByRole("article").filter({ hasText: "On and off" });
    for (const [what, on, off] of [
      ["like", /^Like, /, /^Unlike, /],
      ["share", /^Share, /, /^Undo the share, /],
      ["bookmark", "Bookmark", "Remove the bookmark"],
    ] as const) {
      const asked: string[] = [];
      page.on(
        "request",
        (request) => request.url().endsWith(`/${tweet.id}/${what}`) && asked.push(request.method()),
      );
      const go = await later(page, `**/v1/tweets/${tweet.id}/${what}`, "PUT", "continue");
      await acts.getByRole("button", { name: on, exact: true }).click();
      await acts.getByRole("button", { name: off, exact: true }).click();
      await expect(acts.getByRole("button", { name: on, exact: true })).toBeVisible();
      await page.waitForTimeout(300); // for a second request beside the first
      expect(asked, "at a time").toEqual(["PUT"]);
      go();
      await expect.poll(() => asked).toEqual(["PUT", "DELETE"]);
      const flag = { like: "liked", share: "shared", bookmark: "bookmarked" }[what];
      await until(async () => !(await call(ann, "GET", `/v1/tweets/${tweet.id}`))[flag]);
      await expect(acts.getByRole("button", { name: on, exact: true })).toBeVisible();
    }
  },
);

test("another open tab shows a like, a follow and the cart, and asks the API for none of it", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await post(ben, "Seen in two tabs");
  const rocket = await call(await administrator(), "POST", "/v1/products", {
    name: `Rocket of two tabs ${Date.now()}`,
    description: "Burns.",
    price: { amount: 100, currency: "JPY" },
    stock: 50,
  });
  await call(ann, "PUT", `/v1/cart/items/${rocket.id}`, { quantity: 1 });
  const one = await open(browser, ann, `/users/${ben.id}`);
  const two = await one.context().newPage();
  await two.goto(`/users/${ben.id}`);
  for (const page of [one, two]) {
    await expect(page.getByRole("button", { name: "Like, 0 likes" })).toBeInViewport();
    await expect(page.getByRole("button", { name: "Follow: Ben" })).toBeInViewport();
    await expect(page.getByRole("link", { name: "Cart, 1 piece", exact: true })).toBeInViewport();
  }
  const asked: string[] = [];
  two.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    if (/^\/v1\/(tweets|relationships|cart|users\/(?!me))/.test(path)) asked.push(path);
  });
  await one.getByRole("button", { name: "Like, 0 likes" }).click();
  await expect(two.getByRole("button", { name: "Unlike, 1 like" })).toBeInViewport();
  await one.getByRole("button", { name: "Follow: Ben" }).click();
  await expect(two.getByRole("button", { name: "Following: Ben" })).toBeInViewport();
  await expect(two.getByRole("link", { name: "1 followers" })).toBeInViewport();
  await one.getByRole("link", { name: "Cart, 1 piece", exact: true }).click();
  await one.getByRole("button", { name: "One more" }).click();
  await expect(two.getByRole("link", { name: "Cart, 2 pieces", exact: true })).toBeInViewport();
  expect(asked).toEqual([]);
});

const leave: [string, (page: Page) => Promise<unknown>][] = [
  [
    "follows a link to another page of Hibana",
    (page) => page.evaluate(() => location.assign("/explore")),
  ],
  ["goes to another site", (page) => page.goto("about:blank")],
  ["closes the window", (page) => page.close({ runBeforeUnload: true })],
];

for (const [how, go] of leave) {
  test(`a tweet that somebody deletes is gone also if the author then ${how}`, async ({
    browser,
  }) => {
    const ann = await person("Ann");
    const tweet = await post(ann, "Here for a moment");
    const page = await open(browser, ann, `/users/${ann.id}`, { serviceWorkers: "allow" });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload(); // under the worker
    await remove(page, "Here for a moment");
    await go(page);
    await until(() => isGone(ann, tweet.id));
  });
}

test("a deletion that the browser dropped when the page was left is sent by the next page, and an undone one never", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const [goes, stays] = [await post(ann, "Here for a moment"), await post(ann, "Here to stay")];
  const page = await open(browser, ann, `/users/${ann.id}`);
  await page.evaluate(() => {
    const real = window.fetch.bind(window);
    window.fetch = (what, how) =>
      (how?.method ?? (what as Request).method) === "DELETE"
        ? new Promise(() => {})
        : real(what, how);
  });
  await remove(page, "Here to stay");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("article").filter({ hasText: "Here to stay" })).toBeVisible();
  await remove(page, "Here for a moment");
  await page.goto("about:blank");
  expect(await isGone(ann, goes.id)).toBe(false);
  await page.goto("/explore");
  await until(() => isGone(ann, goes.id));
  expect(await isGone(ann, stays.id)).toBe(false);
});

test("a deletion that the API refuses brings the tweet back, with all else that was read meanwhile", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const tweet = await post(ann, "Cannot go");
  const page = await open(browser, ann, `/users/${ann.id}`);
  const go = await later(page, `**/v1/tweets/${tweet.id}`, "DELETE", "fail");
  await page.clock.install();
  await remove(page, "Cannot go");
  await expect(page.getByRole("article").filter({ hasText: "Cannot go" })).toBeHidden();
  await page.clock.fastForward(11_000);
  go();
  await expect(page.getByRole("article").filter({ hasText: "Cannot go" })).toBeInViewport();
});

async function remove(page: Page, text: string) {
  await page
    .getByRole("article")
    .filter({ hasText: text })
    .getByRole("button", { name: "More" })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("Tweet deleted").first()).toBeVisible();
}
