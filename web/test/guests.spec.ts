import { expect, type Browser, type Page } from "@playwright/test";
import { check } from "./look";
import { administrator, call, fresh, open, test, type Person } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

let shop: Person;
test.beforeAll(async () => void (shop = await administrator()));

const sell = (name: string, stock: number): Promise<{ id: string; name: string }> =>
  call(shop, "POST", "/v1/products", {
    name: `${name} ${process.pid % 10_000}`,
    price: { amount: 100, currency: "JPY" },
    stock,
  });

/** Opens a product as somebody without an account, and puts it into the cart. */
async function filled(
  browser: Browser,
  id: string,
  options: object,
  button: string,
  inCart: RegExp,
) {
  const page = await fresh(browser, { ...phone, ...options });
  await page.goto(`/shop/${id}`);
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByText(inCart)).toBeVisible(); // the API has it
  await page.goto("/cart");
  return page;
}

test("guests: an order with an e-mail address, on a phone", async ({ browser }) => {
  const product = await sell("Ga lantern", 50);
  const page = await filled(browser, product.id, {}, "Add to the cart", /^In the cart: /);
  const email = page.getByLabel("E-mail");
  const order = page.getByRole("button", { name: "Order now" });
  await email.scrollIntoViewIfNeeded();
  await expect(email).toBeInViewport({ ratio: 1 });
  await order.click();
  expect(await email.evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true);
  await expect(page.getByText("your orders stay behind")).toBeVisible();

  // More pieces than a guest may order are told before.
  const more = page.getByRole("button", { name: "One more" });
  for (let n = 0; n < 10; n++) await more.click();
  await expect(page.getByText("A guest orders at most 10 pieces at a time")).toBeVisible();
  await expect(order).toBeDisabled();
  await page.getByRole("button", { name: "One less" }).click();
  await expect(order).toBeEnabled();
  await fits(page);
  await check(page, "guest-cart");
  await page.setViewportSize(phone.viewport);

  await email.fill("Guest@Example.com");
  await order.click();
  await expect(page).toHaveURL(/\/orders\/[0-9a-f]{18}/);
  await expect(page.getByRole("status").getByText("Confirmed")).toBeVisible({ timeout: 20_000 });
  const told = page.getByText("The shop writes to guest@example.com.");
  await expect(told).toBeInViewport();
  await expect(told).toContainText("the order is cancelled");
  await fits(page);
  await check(page, "guest-order");
  await page.goto("/orders");
  await expect(page.getByRole("main").getByText(product.name)).toBeInViewport();

  // The shop sees the address.
  const admin = await open(browser, shop, "/admin/orders", phone);
  const one = admin.getByRole("region").filter({ hasText: product.name });
  await expect(one.getByText("A guest, guest@example.com")).toBeVisible();
  await fits(admin);
});

test("guests: in Japanese, an order beyond the share of guests says why", async ({ browser }) => {
  const product = await sell("Gb wheel", 1); // half of it is none
  const page = await filled(
    browser,
    product.id,
    { locale: "ja-JP" },
    "カートに入れる",
    /^カートに入れました/,
  );
  const email = page.getByLabel("メールアドレス");
  await email.scrollIntoViewIfNeeded();
  await expect(email).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("注文は引き継がれません")).toBeVisible();
  await email.fill("guest@example.com");
  await fits(page);
  await page.getByRole("button", { name: "注文する", exact: true }).click();
  await expect(page.getByRole("status").getByText("不成立")).toBeVisible({ timeout: 20_000 });
  await expect(
    page.getByRole("main").getByText("登録なしで注文できる分はなくなりました"),
  ).toBeInViewport();
  await fits(page);
  await check(page, "guest-share-ja");
});
