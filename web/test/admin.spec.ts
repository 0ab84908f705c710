import { expect, test } from "@playwright/test";
import { check } from "./look";
import { administrator, call, open, person, post } from "./people";

test("admin: reports are read and resolved, in Japanese, and by nobody else", async ({ browser }) => {
  const [ann, ben, keeper] = [await person("Ann"), await person("Ben"), await administrator()];
  const tweet = await post(ben, "Buy my fuses");
  const texts = ["No more fuses", "Nothing but fuses"].map((text) => `${text} ${ben.name}`);
  await call(ann, "POST", "/v1/reports", { tweetId: tweet.id, reason: "spam", text: texts[0] });
  await call(ann, "POST", "/v1/reports", { userId: ben.id, reason: "impersonation", text: texts[1] });
  const page = await open(browser, keeper, { locale: "ja-JP" });
  await page.getByRole("link", { name: "管理" }).click();
  const [first, second] = texts.map((text) => page.locator("section").filter({ hasText: text }));
  await expect(first!).toContainText("スパム");
  await check(page, "admin-reports");
  await first!.getByLabel("理由（記録用）").fill("Looked at it");
  await first!.getByRole("button", { name: "対応しない" }).click();
  await expect(first!).toHaveCount(0);
  await second!.getByRole("link", { name: "対象の人" }).click();
  await expect(page.getByRole("heading", { name: "Ben" }).first()).toBeVisible();
  await page.goBack();
  await expect(second!).toBeVisible();
  await expect(first!).toHaveCount(0);
  await second!.getByRole("button", { name: "対応した" }).click();
  await expect(second!).toHaveCount(0);
  const log = await call(keeper, "GET", "/v1/admin/actions");
  expect(JSON.stringify(log.items)).toContain("Looked at it");

  const hers = await open(browser, ann);
  await expect(hers.locator("aside")).toBeAttached(); // what comes after the page is there
  await hers.goto("/settings");
  await expect(hers.getByRole("button", { name: "Sign out" })).toBeVisible();
  await expect(hers.getByRole("link", { name: "Administration" })).toHaveCount(0);
  await hers.goto("/admin");
  await expect(hers.getByText("There is no such page")).toBeVisible();
});

test("admin: a product is added, priced, restocked, retired and sold again", async ({ browser }) => {
  const keeper = await administrator();
  const page = await open(browser, keeper);
  await page.goto("/admin/products");
  const section = (name: string) => page.getByRole("region", { name, exact: true });
  const name = `Zz comet ${keeper.name}`;
  await section("A new product").getByLabel("Name").fill(name);
  await section("A new product").getByLabel("Description").fill("Flies once.");
  await section("A new product").getByLabel("Price").fill("12.5");
  await section("A new product").getByLabel("Currency").fill("USD");
  await section("A new product").getByLabel("Pieces in stock").fill("3");
  await check(page, "admin-products");
  await page.getByRole("button", { name: "Add it to the shop" }).click();
  await expect(section(name)).toContainText("$12.50 · 3 pieces in stock");
  await check(page, "admin-product");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const product = () => call(undefined, "GET", `/v1/products/${id}`);

  await section("Price").getByLabel("Price").fill("0");
  await section("Price").getByLabel("Currency").fill("XXQ");
  await section("Price").getByRole("button").click();
  await expect(section("Price").getByRole("alert")).toBeVisible(); // refused, with a sentence
  await section("Price").getByLabel("Currency").fill("JPY");
  await section("Price").getByLabel("Price").fill("1980");
  await section("Price").getByRole("button").click();
  await expect(section(name)).toContainText("¥1,980");
  await section("Pieces in stock").getByLabel("Pieces that come in").fill("40");
  await section("Pieces in stock").getByRole("button").click();
  await expect(section(name)).toContainText("43 pieces in stock");
  await section("For sale").getByRole("button", { name: "Sell it no more" }).click();
  await expect(section(name)).toContainText("Sold no more");
  expect(await product()).toMatchObject({ price: { amount: 1980, currency: "JPY" }, amountInStock: 43, active: false });
  await page.getByRole("link", { name: "In the shop" }).click();
  await page.getByRole("main").getByRole("link", { name: "Administration" }).click();
  await page.getByRole("button", { name: "Sell it again" }).click();
  await expect(section(name)).toContainText("43 pieces in stock");
  expect(await product()).toMatchObject({ active: true });
});
