import { expect, type Browser, type Page } from "@playwright/test";
import { check } from "./look";
import { call, follows, kept, open, person, post, test, until, type Person } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const policy = "/v1/users/me/settings/notificationPolicy";
const requests = "/v1/users/me/notificationRequests";
const of = (page: Page, who: Person) => page.locator(`[data-request="${who.id}"]`);
const group = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
const filtered = (who: Person, count: number) =>
  until(async () => (await call(who, "GET", requests)).items.length === count);

test(
  "what strangers do is filtered, waits for the reader, and comes once it is accepted, on a phone",
  { tag: "@short" },
  async ({ browser }) => {
    const [ann, ben, cyd] = [await person("Ann"), await person("Ben"), await person("Cyd")];
    const hers = await post(ann, "A quiet lantern");
    const page = await open(browser, ann, "/settings", phone);
    const choice = group(page, "People you do not follow");
    await choice.scrollIntoViewIfNeeded();
    await choice.selectOption("Filter");
    await until(async () => (await call(ann, "GET", policy)).notFollowed === "filter");
    await expect(choice).toBeEnabled();
    await expect(choice).toHaveValue("filter");
    await fits(page);
    const see = page.getByRole("link", { name: "See the filtered notifications" });
    await see.scrollIntoViewIfNeeded();
    await see.click();
    await expect(page.getByText("Nothing is filtered")).toBeInViewport();

    await call(ben, "PUT", `/v1/tweets/${hers.id}/like`);
    await post(ben, `Look at @${ann.name}`);
    await follows(cyd, ann);
    await filtered(ann, 2);
    await until(async () => (await call(ann, "GET", requests)).items[1].events.length === 2);
    expect((await call(ann, "GET", "/v1/notifications")).items, "no list has it").toEqual([]);
    expect((await call(ann, "GET", "/v1/notifications/unreadCount")).count).toBe(0);
    await page.goto("/notifications");
    await expect(page.getByText("No notifications yet")).toBeInViewport();
    await page.getByRole("link", { name: "Filtered notifications from 2 people" }).click();
    await expect(of(page, ben).getByText("2 notifications")).toBeInViewport({ ratio: 1 });
    await expect(of(page, cyd).getByText("1 notification ")).toBeInViewport({ ratio: 1 });
    await page.getByRole("button", { name: "Show: Ben" }).click();
    await expect(of(page, ben).getByText("Ben liked your tweet")).toBeInViewport({ ratio: 1 });
    await expect(of(page, ben).getByText("Ben mentioned you")).toBeInViewport({ ratio: 1 });
    await fits(page);

    await page.getByRole("button", { name: "Dismiss: Cyd" }).click();
    await expect(of(page, cyd)).toBeHidden();
    await expect(page.getByRole("main"), "the focus is not lost").toBeFocused();
    await page.getByRole("button", { name: "Accept: Ben" }).click();
    await expect(page.getByText("Nothing is filtered")).toBeInViewport();
    await until(async () => (await call(ann, "GET", "/v1/notifications")).items.length === 2);
    expect((await call(ann, "GET", "/v1/notifications/unreadCount")).count).toBe(2);
    await kept(page, ben.id, false); // whom the reader keeps away stays with the API
    await page.getByRole("link", { name: "Notifications", exact: true }).first().click();
    await expect(page.getByText("Ben liked your tweet")).toBeInViewport({ ratio: 1 });
    await expect(page.getByText("Ben mentioned you")).toBeInViewport({ ratio: 1 });
    await expect(page.getByText(/Cyd/)).toHaveCount(0);
    await expect(page.getByText(/Filtered notifications/)).toHaveCount(0);

    // Ben is let through until that is taken back, also when the account is gone.
    await page.goto("/notifications/requests");
    await expect(page.getByRole("button", { name: "Take back: Ben" })).toBeVisible();
    await page.route(`**/v1/users/${ben.id}`, (route) =>
      route.fulfill({ status: 404, json: { code: "user_not_found", status: 404 } }),
    );
    await page.reload();
    await page.getByRole("button", { name: "Take back: Deleted account" }).click();
    await expect(page.getByText("People you accepted")).toHaveCount(0);
    expect((await call(ann, "GET", policy)).acceptedSenders).toEqual([]);
  },
);

test("a request leaves when the reader follows or blocks its sender, and is dismissed once", async ({
  browser,
}) => {
  const [ann, ben, cyd, dan] = [
    await person("Ann"),
    await person("Ben"),
    await person("Cyd"),
    await person("Dan"),
  ];
  await call(ann, "PATCH", policy, { notFollowed: "filter" });
  for (const one of [ben, cyd, dan]) await follows(one, ann);
  await filtered(ann, 3);
  const page = await open(browser, ann, "/notifications/requests");
  await expect(of(page, ben)).toBeInViewport();
  await call(ann, "DELETE", `${requests}/${dan.id}`); // on another device
  await page.getByRole("button", { name: "Dismiss: Dan" }).click();
  await expect(of(page, dan)).toBeHidden();
  await follows(ann, ben);
  await call(ann, "PUT", `/v1/users/${cyd.id}/block`);
  await filtered(ann, 0);
  await page.getByRole("link", { name: "Notifications", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Notifications", exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByText("Nothing is filtered")).toBeInViewport();
  await until(async () =>
    JSON.stringify((await call(ann, "GET", "/v1/notifications")).items).includes(ben.id),
  );
});

test("what cannot be read or changed says so, and a choice goes back", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await call(ann, "PATCH", policy, { newAccounts: "filter" });
  await follows(ben, ann);
  await filtered(ann, 1);
  const page = await open(browser, ann);
  await page.route(`**${policy}`, (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 400, json: { code: "invalid_action", status: 400 } })
      : route.continue(),
  );
  await page.goto("/settings");
  const choice = group(page, "People who do not follow you");
  await choice.selectOption("Ignore");
  await expect(page.getByText("These notifications have no such setting.")).toBeInViewport();
  await expect(choice).toHaveValue("accept");
  expect((await call(ann, "GET", policy)).notFollowers).toBe("accept");

  let fail = true;
  await page.route(`**${requests}*`, (route) =>
    fail ? route.fulfill({ status: 400, json: { status: 400 } }) : route.continue(),
  );
  await page.goto("/notifications/requests");
  await expect(page.getByRole("alert")).toBeInViewport();
  fail = false;
  await page.getByRole("alert").getByRole("button").click();
  await expect(of(page, ben)).toBeInViewport();

  await page.route(`**${requests}/**`, (route) =>
    route.fulfill({ status: 409, json: { code: "too_many_accepted_senders", status: 409 } }),
  );
  await page.getByRole("button", { name: "Accept: Ben" }).click();
  await expect(page.getByText(/as many people as you can/)).toBeInViewport();
  await expect(of(page, ben), "it stays").toBeInViewport();
});

/** Ann filters strangers, of whom two are waiting and one is accepted. */
async function strangers(): Promise<{ ann: Person; sara: Person }> {
  const [ann, sara, ben, cyd] = [
    await person("Ann"),
    await person("Sara"),
    await person("Ben"),
    await person("Cyd"),
  ];
  await call(sara, "PATCH", `/v1/users/${sara.id}`, { nickname: "سارة من ضفة النهر" });
  await call(ben, "PATCH", `/v1/users/${ben.id}`, {
    nickname: "Benjamin_of_the_long_and_winding_river",
  });
  await call(ann, "PATCH", policy, { notFollowed: "filter", privateMentions: "drop" });
  const hers = await post(ann, "A lantern");
  for (const one of [sara, ben, cyd]) await follows(one, ann);
  await call(sara, "PUT", `/v1/tweets/${hers.id}/like`);
  await post(sara, `مرحبا @${ann.name}`);
  await filtered(ann, 3);
  await until(async () =>
    (await call(ann, "GET", requests)).items.some(
      (one: { user: { id: string }; events: unknown[] }) =>
        one.user.id === sara.id && one.events.length === 3,
    ),
  );
  await call(ann, "POST", `${requests}/${cyd.id}/accept`);
  return { ann, sara };
}

async function tour(
  browser: Browser,
  { ann, sara }: { ann: Person; sara: Person },
  look: (page: Page, name: string) => Promise<void>,
  options = {},
) {
  const page = await open(browser, ann, "/notifications", options);
  await expect(page.locator("a[href='/notifications/requests']")).toBeInViewport();
  await look(page, "policy-notifications");
  await page.goto("/notifications/requests");
  await of(page, sara).locator("[aria-expanded]").click();
  await expect(of(page, sara).locator("li")).toHaveCount(3);
  await expect(page.locator(".person")).toHaveCount(1);
  await look(page, "policy-requests");
  await page.goto("/settings");
  const see = page.locator("a[href='/notifications/requests']");
  await expect(page.locator("section", { has: see }).locator("select").first()).toHaveValue(
    "filter",
  );
  await see.scrollIntoViewIfNeeded();
  await look(page, "policy-settings");
}

test("filtered notifications in every look: accessible, as wide as the window, photographed", async ({
  browser,
}) => {
  await tour(browser, await strangers(), check);
});

test("filtered notifications in Japanese, at 200 % and from right to left, stay within the window", async ({
  browser,
}) => {
  const look = async (page: Page, name: string) => {
    for (const [look, width, height, dir] of [
      ["ja", 360, 740, "ltr"],
      ["double", 640, 450, "ltr"],
      ["double-phone", 180, 370, "ltr"],
      ["rtl", 360, 740, "rtl"],
      ["rtl-desktop", 1280, 900, "rtl"],
    ] as const) {
      // Other parts of the settings are wider than a phone at 200 %.
      if (/settings/.test(name) && width < 320) continue;
      await page.setViewportSize({ width, height });
      await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
      await fits(page);
      const last = page.locator(".decide .button, a[href='/notifications/requests']").last();
      await last.scrollIntoViewIfNeeded();
      await expect(last, `${name} ${look}`).toBeInViewport({ ratio: 1 });
      await page.screenshot({ path: `screenshots/${name}-${look}.png`, animations: "disabled" });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => (document.documentElement.dir = "ltr"));
  };
  await tour(browser, await strangers(), look, { locale: "ja-JP" });
});
