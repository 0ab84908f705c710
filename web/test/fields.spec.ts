import { expect, type Page } from "@playwright/test";
import { check } from "./look";
import { call, fresh, open, person, test } from "./people";

const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

test("fields: a person says more on the profile, and others see it", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await open(browser, ann, "/settings");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Add a field" }).click();
  await page.getByLabel("Label 1").fill("Site");
  await page.getByLabel("Content 1").fill(`https://example.com/${"a".repeat(60)}`);
  await page.getByRole("button", { name: "Add a field" }).click();
  await page.getByLabel("Label 2").fill("町");
  await page.getByRole("textbox", { name: "Pronouns" }).fill("she/her");
  await page.getByLabel("A program posts for this account").click();
  await page.getByRole("button", { name: "Save fields" }).click();
  await expect(page.getByRole("alert")).toBeInViewport(); // the second field has no content
  await page.getByLabel("Content 2").fill("東京");
  await fits(page);
  const saved = page.waitForResponse(
    (answer) => answer.request().method() === "PATCH" && answer.status() === 200,
  );
  await page.getByRole("button", { name: "Save fields" }).click();
  await saved;
  const { fields, pronouns, bot } = await call(ann, "GET", "/v1/users/me");
  expect([fields.length, pronouns, bot]).toEqual([2, "she/her", true]);

  const other = await fresh(browser, {
    viewport: { width: 360, height: 740 },
    locale: "ja-JP",
  });
  await other.goto(`/users/${ann.id}`);
  await expect(other.getByText("ボット", { exact: true })).toBeInViewport();
  await expect(other.getByText("· she/her")).toBeInViewport();
  const link = other.getByRole("link", { name: /^example\.com/ });
  await expect(link).toBeInViewport();
  await expect(link).toHaveAttribute("rel", /me nofollow noopener/);
  await expect(other.getByText("東京")).toBeInViewport();
  await fits(other);
  await check(other, "the fields of a profile");
});
