import { expect } from "@playwright/test";
import { atHome, call, follows, kept, open, person, post, signedIn, test } from "./people";

test(
  "links lead to /@name and /@name/id, and the addresses with ids to the same pages",
  { tag: "@short" },
  async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    await follows(ann, ben);
    const tweet = await post(ben, "A lantern goes up");
    const secret = await post(ben, "For some", { visibility: "followers" });
    await atHome(ann, tweet, secret);
    const page = await open(browser, ann);
    await page.getByText("A lantern goes up").click();
    await expect(page).toHaveURL(`/@${ben.name}/${tweet.id}`);
    await expect(page.locator("article.big")).toContainText("A lantern goes up");
    await page.locator("article.big").getByRole("link", { name: "Ben" }).click();
    await expect(page).toHaveURL(`/@${ben.name}`);
    await expect(page.getByRole("heading", { name: /^Ben/, level: 1 })).toBeVisible();
    // The tabs are of the same page.
    await page.getByRole("navigation").getByRole("link", { name: "Shares" }).click();
    await expect(page).toHaveURL(`/users/${ben.id}/shares`);
    await page.goBack();

    // Addresses from before, which hold through renames, become the known ones; the history does
    // not grow by it.
    await page.goto("/explore");
    await page.goto(`/users/${ben.id}`);
    await expect(page).toHaveURL(`/@${ben.name}`);
    await expect(page.getByRole("heading", { name: /^Ben/, level: 1 })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL("/explore");
    await page.goto(`/tweets/${tweet.id}`);
    await expect(page).toHaveURL(`/@${ben.name}/${tweet.id}`);
    await expect(page.locator("article.big")).toContainText("A lantern goes up");
    // No public page has this one.
    await page.goto(`/tweets/${secret.id}`);
    await expect(page.locator("article.big")).toContainText("For some");
    await expect(page).toHaveURL(`/tweets/${secret.id}`);

    // A name that a person has no more leads to nobody.
    await call(ben, "PATCH", "/v1/users/me", { username: `new_${ben.name}`.slice(0, 20) });
    await page.goto(`/users/${ben.id}`);
    await expect(page).toHaveURL(`/@${`new_${ben.name}`.slice(0, 20)}`);
  },
);

test("a reload at /@name shows the client to whoever is signed in, and the public page to others", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const tweet = await post(ben, "A lantern goes up");

  // Without the worker the address is the public page's, where the API has public pages ("?public",
  // see tests/browser), and else the client's.
  const bare = await signedIn(browser, ann);
  await bare.goto(`/@${ben.name}?public`);
  await expect(bare.getByText("A lantern goes up").first()).toBeVisible();
  await expect(bare.locator("#root")).toHaveCount(0);
  await bare.goto(`/@${ben.name}`);
  await expect(bare.getByText("A lantern goes up").first()).toBeVisible();
  await expect(bare.locator("#root")).toHaveCount(1);

  const page = await open(browser, ann, "/", { serviceWorkers: "allow" });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect
    .poll(() =>
      page.evaluate(async () =>
        Boolean(await (await caches.open("hibana.reader")).match("/reader")),
      ),
    )
    .toBe(true);
  for (const path of [`/@${ben.name}`, `/@${ben.name}/${tweet.id}`]) {
    await page.goto(`${path}?public`);
    await expect(page.getByText("A lantern goes up").first()).toBeVisible();
    await expect(page.locator("#root")).toHaveCount(1);
    await expect(page).toHaveURL(`${path}?public`);
    await page.reload();
    await expect(page.locator("#root")).toHaveCount(1);
  }
  // Also without a network.
  await kept(page, "A lantern goes up");
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText("A lantern goes up").first()).toBeVisible();
  await page.context().setOffline(false);

  // Who signed out is a visitor again.
  await page.goto("/settings");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.goto(`/@${ben.name}?public`);
  await expect(page.getByText("A lantern goes up").first()).toBeVisible();
  await expect(page.locator("#root")).toHaveCount(0);
});
