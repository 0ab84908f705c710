import { expect, type Page } from "@playwright/test";
import { administrator, call, open, person, post, test } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

test("a frozen user appeals on a phone, and reads the answer", async ({ browser }) => {
  const [ann, keeper] = [await person("Ann"), await administrator()];
  await call(keeper, "PUT", `/v1/admin/users/${ann.id}/freeze`, { reason: "rude replies" });
  const page = await open(browser, ann, "/settings", phone);
  await page.getByRole("link", { name: /Decisions of moderators/ }).click();
  const one = page.getByRole("region", { name: "Account frozen" });
  await expect(one).toBeInViewport();
  const text = `It was a joke ${Date.now()}`;
  await one.getByLabel("Why is this decision wrong?").fill(text);
  await fits(page);
  await one.getByRole("button", { name: "Appeal" }).click();
  await expect(one.getByText("Your appeal waits for an answer.")).toBeInViewport({ ratio: 1 });

  const admin = await open(browser, keeper, "/admin/appeals", phone);
  await expect(admin.locator(".tabs [aria-current=page]")).toBeInViewport();
  const waits = admin.getByRole("article").filter({ hasText: text });
  await waits.scrollIntoViewIfNeeded();
  await expect(waits.getByText("Reason in the audit log: rude replies")).toBeVisible();
  await waits.getByLabel("Answer to the user").fill("We looked again. Sorry!");
  await fits(admin);
  await waits.getByRole("button", { name: "Reverse the decision" }).click();
  await expect(waits).toHaveCount(0);

  await page.reload();
  await expect(one.getByText("The decision was reversed.")).toBeInViewport({ ratio: 1 });
  await expect(one.getByText("We looked again. Sorry!")).toBeInViewport({ ratio: 1 });
  await post(ann, "I can write again");
});

test("decisions and appeals in Japanese, at 200 % and from right to left", async ({ browser }) => {
  const [ben, keeper] = [await person("Ben"), await administrator()];
  const tweet = await post(ben, "rude words");
  await call(keeper, "PUT", `/v1/admin/tweets/${tweet.id}/flag`, { reason: "rude" });
  const [{ id }] = (await call(ben, "GET", "/v1/users/me/decisions")).items;
  await call(ben, "PUT", `/v1/users/me/decisions/${id}/appeal`, { text: "It was a quote" });
  const mine = await open(browser, ben, "/settings/decisions", { locale: "ja-JP" });
  const admin = await open(browser, keeper, "/admin/appeals", { locale: "ja-JP" });
  await expect(mine.getByText("異議申し立ては回答を待っています。")).toBeInViewport({ ratio: 1 });
  await expect(admin.getByRole("button", { name: "決定を取り消す" }).last()).toBeVisible();
  for (const page of [mine, admin])
    for (const [width, height, dir] of [
      [640, 450, "ltr"],
      [360, 740, "rtl"],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
      await fits(page);
    }
});
