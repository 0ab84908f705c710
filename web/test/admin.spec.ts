import { expect } from "@playwright/test";
import { png } from "./files";
import { check } from "./look";
import { administrator, call, open, person, post, test, until, type Person } from "./people";

test("admin: reports are read and resolved, in Japanese, and by nobody else", async ({
  browser,
}) => {
  const [ann, ben, keeper] = [await person("Ann"), await person("Ben"), await administrator()];
  const tweet = await post(ben, "Buy my fuses");
  const texts = ["No more fuses", "Nothing but fuses"].map((text) => `${text} ${ben.name}`);
  await call(ann, "POST", "/v1/reports", { tweetId: tweet.id, reason: "spam", text: texts[0] });
  await call(ann, "POST", "/v1/reports", {
    userId: ben.id,
    reason: "impersonation",
    text: texts[1],
  });
  const page = await open(browser, keeper, "/", { locale: "ja-JP" });
  await page.getByRole("link", { name: "管理" }).click();
  const [first, second] = texts.map((text) => page.getByRole("article").filter({ hasText: text }));
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

test("admin: a moderator reads the message that is reported", async ({ browser }) => {
  const [ann, ben, keeper] = [await person("Ann"), await person("Ben"), await administrator()];
  const text = `Buy my fuses from ${ben.name}`;
  const made = await call(ben, "POST", "/v1/conversations", { memberIds: [ann.id], text });
  const { items } = await call(ann, "GET", `/v1/conversations/${made.id}/messages`);
  await call(ann, "POST", "/v1/reports", {
    conversationId: made.id,
    messageId: items[0].id,
    reason: "spam",
    text: `Look at ${ann.name}`,
  });
  const page = await open(browser, keeper, "/admin");
  const report = page.getByRole("article").filter({ hasText: `Look at ${ann.name}` });
  await expect(report.getByLabel("The reported message")).toContainText(text);
  await check(page, "admin-reported-message");
});

test("admin: a product is added, priced, restocked, retired and sold again", async ({
  browser,
}) => {
  const keeper = await administrator();
  const page = await open(browser, keeper, "/admin/products");
  const section = (name: string) => page.getByRole("region", { name, exact: true });
  const name = `Zz comet ${keeper.name}`;
  await section("A new product").getByLabel("Name").fill(name);
  await section("A new product").getByLabel("Description").fill("Flies once.");
  await section("A new product").getByLabel("Price").fill("12.5");
  await section("A new product").getByLabel("Currency").fill("USD");
  await section("A new product").getByLabel("Pieces in stock").fill("3");
  const file = section("A new product").locator("input[type=file]");
  await file.setInputFiles(png("comet.png", [200, 60, 30]));
  await section("A new product").getByLabel("What the picture shows").fill("A red comet");
  await check(page, "admin-products");
  await page.getByRole("button", { name: "Add it to the shop" }).click();
  await expect(section(name)).toContainText("$12.50 · 3 pieces in stock");
  await check(page, "admin-product");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const product = () => call(undefined, "GET", `/v1/products/${id}`);

  expect((await product()).picture).toMatchObject({ alt: "A red comet", width: 320 });
  await section("Picture").getByLabel("What the picture shows").fill("A comet of fire");
  await section("Picture").getByRole("button", { name: "Change the picture" }).click();
  await expect.poll(async () => (await product()).picture.alt).toBe("A comet of fire");

  await section("Price").getByLabel("Price").fill("0");
  await section("Price").getByLabel("Currency").fill("XXQ");
  await section("Price").getByRole("button").click();
  await expect(section("Price").getByRole("alert")).toBeVisible(); // refused, with a sentence
  await section("Price").getByLabel("Currency").fill("JPY");
  await section("Price").getByLabel("Price").fill("1980");
  await section("Price").getByRole("button").click();
  await expect(section(name)).toContainText("¥1,980");
  await section("Pieces in stock").getByLabel("Pieces to add").fill("40");
  await section("Pieces in stock").getByRole("button").click();
  await expect(section(name)).toContainText("43 pieces in stock");
  await section("For sale").getByRole("button", { name: "Stop selling" }).click();
  await expect(section(name)).toContainText("No longer sold");
  expect(await product()).toMatchObject({
    price: { amount: 1980, currency: "JPY" },
    amountInStock: 43,
    active: false,
  });
  await page.getByRole("link", { name: "In the shop" }).click();
  await expect(page.getByRole("img", { name: "A comet of fire" })).toBeInViewport();
  await page.getByRole("main").getByRole("link", { name: "Administration" }).click();
  await page.getByRole("button", { name: "Sell again" }).click();
  await expect(section(name)).toContainText("43 pieces in stock");
  expect(await product()).toMatchObject({ active: true });
});

test("admin: orders are listed by their state, shipped and cancelled, and in Japanese", async ({
  browser,
}) => {
  const [keeper, ann] = [await administrator(), await person("Ann")];
  const product = await call(keeper, "POST", "/v1/products", {
    name: `Zz shipped ${keeper.name}`,
    price: { amount: 700, currency: "JPY" },
    stock: 10,
  });
  const stock = async () =>
    (await call(undefined, "GET", `/v1/products/${product.id}`)).amountInStock;
  const place = async (who: Person, quantity: number): Promise<{ id: string }> => {
    await call(who, "PUT", `/v1/cart/items/${product.id}`, { quantity });
    const answer = await fetch(`${process.env.HIBANA_URL}/v1/orders`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${who.token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": crypto.randomUUID(),
      },
      body: JSON.stringify({ items: [{ productId: product.id, quantity, price: product.price }] }),
    });
    const order = await answer.json();
    await until(
      async () => (await call(who, "GET", `/v1/orders/${order.id}`)).status === "confirmed",
    );
    return order;
  };
  const [first, second, third] = [await place(ann, 1), await place(ann, 2), await place(ann, 3)];
  const page = await open(browser, keeper, "/admin");
  await page
    .getByRole("navigation", { name: "Administration" })
    .getByRole("link", { name: "Orders" })
    .click();
  const section = (order: { id: string }) =>
    page.getByRole("region", { name: `Order ${order.id}`, exact: true });
  const more = page.getByRole("button", { name: "Show more" });
  await expect(async () => {
    // orders of other tests are older
    if (!(await section(third).isVisible())) await more.click({ timeout: 1000 });
    await expect(section(third)).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(section(second)).toContainText("¥1,400");
  await expect(section(second)).toContainText(`${product.name} × 2`);
  await check(page, "admin-orders");
  await section(first).getByRole("button", { name: "Mark as shipped" }).click();
  await expect(section(first)).toHaveCount(0);
  await section(second).getByRole("button", { name: "Cancel the order" }).click();
  await expect(section(second)).toHaveCount(0);
  await until(async () => (await stock()) === 6);
  // The customer is faster: the page says so, and lists the order no more.
  await call(ann, "POST", `/v1/orders/${third.id}/cancel`);
  await section(third).getByRole("button", { name: "Mark as shipped" }).click();
  await expect(
    page.getByText("That cannot be done with this order any more.").first(),
  ).toBeVisible();
  await expect(section(third)).toHaveCount(0);
  await page.getByLabel("Status").selectOption("Shipped");
  await expect(section(first)).toContainText("Shipped");
  await expect(section(first).getByRole("button")).toHaveCount(0);
  for (const [order, status] of [
    [first, "shipped"],
    [second, "cancelled"],
  ] as const) {
    expect(await call(ann, "GET", `/v1/orders/${order.id}`)).toMatchObject({
      status,
      history: [{}, {}, { status, by: keeper.id }],
    });
  }
  await page.getByRole("link", { name: "The customer" }).first().click();
  await expect(page.getByRole("heading", { name: "Ann" }).first()).toBeVisible();

  const japanese = await open(browser, keeper, "/admin/orders", { locale: "ja-JP" });
  await japanese.getByLabel("注文の状態").selectOption("発送済み");
  await expect(japanese.getByRole("region", { name: `注文${first.id}` })).toContainText("発送済み");
  const hers = await open(browser, ann, "/admin/orders");
  await expect(hers.getByText("There is no such page")).toBeVisible();
});
