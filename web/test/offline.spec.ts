import { expect } from "@playwright/test";
import { atHome, fresh, follows, kept, open, person, post, test } from "./people";

test("after one visit the page opens without a network, and says of other pages that they wait", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await atHome(ann, await post(ben, "Read before the tunnel"));
  const page = await open(browser, ann, "/", { serviceWorkers: "allow" });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await kept(page, "Read before the tunnel");
  await page.context().setOffline(true);
  await page.reload(); // the first time under the worker
  await expect(page.getByText("Read before the tunnel")).toBeVisible();
  await page.getByRole("link", { name: "Bookmarks" }).first().click();
  await expect(page.getByText("This page is not kept on this device")).toBeVisible();
  await expect(page.getByText("Loading")).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(page.getByText("No bookmarks")).toBeVisible(); // by itself
});

test("what will never load says so, and leads on", async ({ browser }) => {
  const page = await fresh(browser);
  for (const path of ["/tweets/0123456789abcdef01", "/users/@nobody_is_here"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: "There is nothing here" }), path).toBeVisible();
    await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
    await page.getByRole("link", { name: "Look around" }).click();
    await expect(page).toHaveURL(/explore$/);
  }
});
