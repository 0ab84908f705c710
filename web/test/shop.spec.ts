import { expect, type Browser, type Page, type Request } from "@playwright/test";
import { check } from "./look";
import {
  administrator,
  call,
  fresh,
  open,
  password,
  person,
  signedIn,
  test,
  type Person,
} from "./people";

let shop: Person;
test.beforeAll(async () => void (shop = await administrator()));

interface Product {
  id: string;
  name: string;
}

// Names of their own, since tests share one shop, also when one is tried again.
const sell = (name: string, amount: number, stock: number, more = {}): Promise<Product> =>
  call(shop, "POST", "/v1/products", {
    name: `${name} ${process.pid % 10_000}`,
    description: "Burns for a minute.\nHold it still.",
    price: { amount, currency: "JPY" },
    stock,
    ...more,
  });

async function visit(browser: Browser, path: string, options = {}): Promise<Page> {
  const page = await fresh(browser, options);
  await page.goto(path);
  return page;
}

const line = (page: Page, product: Product) => page.locator(`.item[data-product="${product.id}"]`);
const bag = (page: Page, count: number) =>
  expect(
    page.getByRole("link", { name: `Cart, ${count} piece${count === 1 ? "" : "s"}`, exact: true }),
  ).toBeVisible();

test(
  "shop: a visitor fills a cart, signs up, and still has it",
  { tag: ["@short", "@firefox"] },
  async ({ browser }) => {
    const [wheel, rocket] = [await sell("Aa wheel", 1980, 5), await sell("Aa rocket", 300, 50)];
    const page = await visit(browser, "/shop");
    await page.getByRole("button", { name: `Add ${wheel.name} to the cart` }).click();
    await bag(page, 1);
    await page.getByRole("link", { name: rocket.name }).click();
    await expect(page.getByRole("heading", { name: rocket.name })).toBeVisible();
    await page.getByRole("button", { name: "One more" }).click();
    await page.getByRole("button", { name: "Add to the cart" }).click();
    await bag(page, 3);
    await page.getByRole("link", { name: "Cart, 3 pieces" }).click();
    await expect(line(page, rocket).locator("output")).toHaveText("2");
    await expect(page.getByRole("region", { name: "Total" })).toContainText("¥2,580");
    // Clicks that come faster than answers end in the last quantity.
    for (let n = 0; n < 4; n++)
      await line(page, rocket).getByRole("button", { name: "One more" }).click();
    await expect(page.getByRole("region", { name: "Total" })).toContainText("¥3,780");
    await line(page, wheel)
      .getByRole("button", { name: `Remove ${wheel.name}` })
      .click();
    await expect(line(page, wheel)).toHaveCount(0);

    const name = `buyer_${Date.now() % 1_000_000}`;
    await page
      .getByRole("region", { name: "Total" })
      .getByRole("link", { name: "Sign up instead" })
      .click();
    await page.getByLabel("E-mail").fill(`${name}@example.com`);
    await page.getByLabel("Password").fill(password);
    await page.locator("form button.main").click();
    await page.getByLabel("Username").fill(name);
    await page.getByRole("button", { name: "Begin" }).click();
    await expect(line(page, rocket).locator("output")).toHaveText("6"); // back in the cart, where the sign-up began
    await page.goto("/");
    await bag(page, 6);
    await page.goto("/cart");
    await page.getByRole("button", { name: "Order now" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Confirmed" })).toBeVisible();
    await expect(page.getByRole("list", { name: "Items" })).toContainText("¥1,800");
    await bag(page, 0);
    expect((await call(undefined, "GET", `/v1/products/${rocket.id}`)).amountInStock).toBe(44);
  },
);

test("shop: clicks at once make one guest, and each counts", async ({ browser }) => {
  const [wheel, rocket] = [
    await sell("Aa twice wheel", 1980, 5),
    await sell("Aa twice rocket", 300, 50),
  ];
  const page = await visit(browser, "/shop");
  let guests = 0;
  page.on(
    "request",
    (request) =>
      void (guests +=
        request.method() === "POST" && request.url().includes("accounts:signUp") ? 1 : 0),
  );
  for (const { name } of [wheel, rocket])
    await expect(page.getByRole("button", { name: `Add ${name} to the cart` })).toBeVisible();
  await page.evaluate(
    (ids) => {
      for (const id of ids)
        document.querySelector<HTMLButtonElement>(`article[data-product="${id}"] button`)!.click();
    },
    [wheel.id, rocket.id, wheel.id],
  );
  await bag(page, 3);
  await expect(page.getByText(/^In the cart: /)).toBeVisible(); // the API has all three
  await page.getByRole("link", { name: "Cart, 3 pieces" }).click();
  await expect(line(page, wheel).locator("output")).toHaveText("2");
  let taken = 0;
  page.on(
    "response",
    (answer) =>
      void (taken += answer.url().endsWith(`/cart/items/${rocket.id}`) && answer.ok() ? 1 : 0),
  );
  await line(page, rocket)
    .getByRole("button", { name: "One more" })
    .evaluate((more: HTMLButtonElement) => (more.click(), more.click()));
  await expect(line(page, rocket).locator("output")).toHaveText("3");
  await expect.poll(() => taken).toBe(2); // the page shows it before
  await page.reload(); // as the API has it
  await expect(line(page, wheel).locator("output")).toHaveText("2");
  await expect(line(page, rocket).locator("output")).toHaveText("3");
  expect(guests).toBe(1);
});

test("shop: what is changed just before the page is left is in the cart", async ({ browser }) => {
  const [wheel, rocket] = [
    await sell("Aa left wheel", 100, 50),
    await sell("Aa left rocket", 100, 50),
  ];
  const ann = await person("Ann");
  for (const { id } of [wheel, rocket])
    await call(ann, "PUT", `/v1/cart/items/${id}`, { quantity: 1 });
  const page = await open(browser, ann, "/cart");
  for (const product of [wheel, rocket])
    await expect(line(page, product).locator("output")).toHaveText("1");
  // The first request is on its way for as long as the page is there, and all others wait for it.
  let held = 0;
  await page.route("**/v1/cart/items/*", () => void held++, { times: 1 });
  for (const product of [wheel, wheel, wheel, rocket])
    await line(page, product).getByRole("button", { name: "One more" }).click();
  await expect(line(page, rocket).locator("output")).toHaveText("2");
  await expect.poll(() => held).toBe(1);
  await page.goto("about:blank");
  const cart = async () =>
    Object.fromEntries(
      (await call(ann, "GET", "/v1/cart")).items.map(
        (item: { productId: string; quantity: number }) => [item.productId, item.quantity],
      ),
    );
  await expect.poll(cart).toEqual({ [wheel.id]: 4, [rocket.id]: 2 });
});

test("shop: what is changed just before a sign-out is in the cart", async ({ browser }) => {
  const wheel = await sell("Aa signed-out wheel", 100, 50);
  const ann = await person("Ann");
  await call(ann, "PUT", `/v1/cart/items/${wheel.id}`, { quantity: 1 });
  const page = await open(browser, ann, "/cart");
  await expect(line(page, wheel).locator("output")).toHaveText("1");
  let answer = () => {};
  const held = new Promise<void>((release) => (answer = release));
  await page.route("**/v1/cart/items/*", async (route) => (await held, await route.continue()));
  for (let n = 0; n < 3; n++)
    await line(page, wheel).getByRole("button", { name: "One more" }).click();
  await page.getByRole("link", { name: "Settings" }).first().click();
  await page.getByRole("button", { name: "Sign out" }).click();
  answer();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect
    .poll(async () => (await call(ann, "GET", "/v1/cart")).items)
    .toMatchObject([{ productId: wheel.id, quantity: 4 }]);
});

test("shop: a guest whose session has ended signs in to an account all the same", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await visit(browser, "/shop");
  const product = await sell("Aa gone guest", 100, 5);
  await page.reload();
  await page.getByRole("button", { name: `Add ${product.name} to the cart` }).click();
  await bag(page, 1);
  await page.goto("/sign-in");
  await page.route("**/securetoken.googleapis.com/**", (route) =>
    route.fulfill({
      status: 400,
      contentType: "application/json",
      body: JSON.stringify({ error: { code: 400, message: "TOKEN_EXPIRED" } }),
    }),
  );
  await page.getByLabel("E-mail").fill(ann.email);
  await page.getByLabel("Password").fill(password);
  await page.locator("form button.main").click();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
});

test("shop: a guest who signs in to an account takes the cart along, once", async ({ browser }) => {
  const [wheel, rocket] = [await sell("Bb wheel", 1980, 5), await sell("Bb rocket", 300, 50)];
  const ann = await person("Ann");
  await call(ann, "PUT", `/v1/cart/items/${wheel.id}`, { quantity: 1 });
  await call(ann, "PUT", `/v1/cart/items/${rocket.id}`, { quantity: 1 });
  const page = await visit(browser, `/shop/${rocket.id}`);
  await page.getByRole("button", { name: "One more" }).click();
  await page.getByRole("button", { name: "Add to the cart" }).click();
  await bag(page, 2);
  await expect(page.getByText(`In the cart: ${rocket.name}`)).toBeVisible(); // the page counts it before the API has it
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(ann.email);
  await page.getByLabel("Password").fill("not the password");
  await page.locator("form button.main").click();
  await expect(page.getByRole("alert")).toBeVisible(); // and the guest is a guest still
  await page.getByLabel("Password").fill(password);
  await page.locator("form button.main").click();
  await bag(page, 4);
  await page.reload();
  await bag(page, 4);
  const cart = await call(ann, "GET", "/v1/cart");
  expect(
    Object.fromEntries(
      cart.items.map((item: { productId: string; quantity: number }) => [
        item.productId,
        item.quantity,
      ]),
    ),
  ).toEqual({ [wheel.id]: 1, [rocket.id]: 3 });
});

test("shop: the cart says what changed since the last look, once, and takes back what the API refuses", async ({
  browser,
}) => {
  const [wheel, rocket] = [await sell("Cc wheel", 1980, 5), await sell("Cc rocket", 300, 50)];
  const ann = await person("Ann");
  for (const product of [wheel, rocket])
    await call(ann, "PUT", `/v1/cart/items/${product.id}`, { quantity: 3 });
  await call(shop, "PATCH", `/v1/products/${wheel.id}`, {
    price: { amount: 2500, currency: "JPY" },
  });
  await call(shop, "PATCH", `/v1/products/${rocket.id}`, { active: false });
  const page = await open(browser, ann);
  const seen = page.waitForResponse(
    (answer) => answer.url().endsWith("/v1/cart/seen") && answer.status() === 204,
  );
  await page.goto("/cart");
  await expect(line(page, wheel)).toContainText("The price went up");
  await expect(line(page, rocket)).toContainText("No longer sold");
  await seen;
  const put = page.waitForResponse(
    (answer) => answer.url().endsWith(wheel.id) && answer.status() === 204,
  );
  await line(page, wheel).getByRole("button", { name: "One more" }).click();
  await put;
  await expect(line(page, wheel)).toContainText("The price went up"); // while the page is open
  await page.reload();
  await expect(line(page, rocket)).toContainText("No longer sold");
  await expect(line(page, wheel).locator("output")).toHaveText("4");
  await expect(line(page, wheel)).not.toContainText("The price went up");

  await page.route("**/v1/cart/items/*", (route) =>
    route.fulfill({
      status: 409,
      contentType: "application/problem+json",
      body: JSON.stringify({ code: "cart_full", detail: "full", status: 409, title: "Conflict" }),
    }),
  );
  await line(page, wheel).getByRole("button", { name: "One more" }).click();
  await expect(page.getByText("Your cart is full.")).toBeVisible();
  await expect(line(page, wheel).locator("output")).toHaveText("4");
});

test(
  "shop: an order is refused with the new prices, placed once although answers are lost, and cancelled",
  { tag: "@short" },
  async ({ browser }) => {
    const wheel = await sell("Dd wheel", 1980, 9);
    const ann = await person("Ann");
    await call(ann, "PUT", `/v1/cart/items/${wheel.id}`, { quantity: 2 });
    const page = await signedIn(browser, ann); // nothing is kept: what the cart shows was just read
    await page.goto("/cart");
    await expect(page.getByRole("region", { name: "Total" })).toContainText("¥3,960");
    await call(shop, "PATCH", `/v1/products/${wheel.id}`, {
      price: { amount: 2000, currency: "JPY" },
    });
    const order = page.getByRole("button", { name: "Order now" });
    await order.click();
    await expect(page.getByRole("alert")).toHaveText(
      "Prices have changed. Look at your cart again.",
    );
    await expect(line(page, wheel)).toContainText("The price went up");
    await expect(page.getByRole("region", { name: "Total" })).toContainText("¥4,000");
    expect((await call(ann, "GET", "/v1/orders")).items).toHaveLength(0);

    // The order is made, and every answer lost, also after a reload.
    const keys: (string | undefined)[] = [];
    await page.route("**/v1/orders", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      keys.push(route.request().headers()["idempotency-key"]);
      if (keys.length === 1) await route.fetch();
      await route.abort();
    });
    await order.click();
    await expect(page.getByText("The network does not answer.").first()).toBeVisible();
    await page.unroute("**/v1/orders");
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    await expect(page.getByText("Your cart is empty")).toBeVisible(); // since the order was made
    await page.getByRole("link", { name: "Orders", exact: true }).click();
    await page.locator(".ordered").click();
    await expect(page.getByRole("status").filter({ hasText: "Confirmed" })).toBeVisible();
    expect((await call(ann, "GET", "/v1/orders")).items).toHaveLength(1);
    await page.getByRole("button", { name: "Cancel the order" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Cancelled" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel the order" })).toHaveCount(0);
    await expect
      .poll(async () => (await call(undefined, "GET", `/v1/products/${wheel.id}`)).amountInStock)
      .toBe(9);
  },
);

test("shop: a reload in the middle of an order places it once", async ({ browser }) => {
  const wheel = await sell("Dd slow wheel", 1980, 9);
  const ann = await person("Ann");
  await call(ann, "PUT", `/v1/cart/items/${wheel.id}`, { quantity: 2 });
  const page = await open(browser, ann, "/cart");
  // The first request arrives only when the page that sent it is gone, just before the second.
  const sent: Request[] = [];
  await page.route("**/v1/orders", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent.push(route.request());
    if (sent.length === 1) return;
    const first = await fetch(sent[0]!.url(), {
      method: "POST",
      headers: await sent[0]!.allHeaders(),
      body: sent[0]!.postData(),
    });
    expect(first.status, await first.text()).toBe(201);
    await route.continue();
  });
  const order = page.getByRole("button", { name: "Order now" });
  await order.click();
  await expect.poll(() => sent.length).toBe(1);
  await page.reload();
  await order.click();
  await expect(page.getByRole("status").filter({ hasText: "Confirmed" })).toBeVisible();
  expect(sent.length).toBe(2);
  expect((await call(ann, "GET", "/v1/orders")).items).toHaveLength(1);
  await expect
    .poll(async () => (await call(undefined, "GET", `/v1/products/${wheel.id}`)).amountInStock)
    .toBe(7);
  await bag(page, 0);
});

test("shop: an order that the stock rejects says why, and its items are in the cart again", async ({
  browser,
}) => {
  const wheel = await sell("Dd last wheel", 1980, 1);
  const ann = await person("Ann");
  await call(ann, "PUT", `/v1/cart/items/${wheel.id}`, { quantity: 1 });
  const page = await signedIn(browser, ann); // nothing is kept: what the cart shows was just read
  await page.goto("/cart");
  await expect(page.getByRole("button", { name: "Order now" })).toBeEnabled();
  await fetch(`${process.env.HIBANA_URL}/v1/products/${wheel.id}/restock`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${shop.token}`,
      "Content-Type": "application/json",
      "Idempotency-Key": wheel.id,
    },
    body: JSON.stringify({ pieces: -1 }),
  });
  // The event that restores the cart is late: until then the cart is empty.
  await page.route("**/v1/cart", (route) => route.fulfill({ json: { items: [], totals: [] } }));
  await page.getByRole("button", { name: "Order now" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Rejected" })).toContainText(
    `${wheel.name} is sold out.`,
  );
  await page.getByRole("link", { name: "To the cart" }).click();
  await expect(page.getByText("Your cart is empty")).toBeVisible();
  await page.unroute("**/v1/cart");
  await expect(line(page, wheel)).toContainText("Sold out");
  await expect(page.getByRole("button", { name: "Order now" })).toBeDisabled();
  await page.goto("/notifications");
  await expect(page.getByText("Your order could not be fulfilled")).toBeVisible();
});

test("shop: by keys, by price, and in Japanese", async ({ browser }) => {
  const [cheap, dear] = [await sell("Ab second", 7, 5), await sell("Ab first", 8, 0)];
  const page = await open(browser, await person("Ann"), "/", { locale: "ja-JP" });
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(page.getByRole("heading", { name: "ショップ" })).toBeVisible();
  const place = (product: Product) =>
    page
      .locator("article.good")
      .evaluateAll(
        (all, id) => all.findIndex((one) => one.getAttribute("data-product") === id),
        product.id,
      );
  await expect(page.getByRole("link", { name: cheap.name })).toBeVisible();
  expect(await place(dear)).toBeLessThan(await place(cheap));
  await page.getByRole("link", { name: "価格順" }).click();
  await expect
    .poll(async () => (await place(cheap)) >= 0 && (await place(dear)) > (await place(cheap)))
    .toBe(true);
  const card = page.locator(`article[data-product="${dear.id}"]`);
  await expect(card).toContainText("￥8");
  await expect(card).toContainText("売り切れ");
  await expect(card.getByRole("button")).toHaveCount(0);
});

test("shop: its pages, in every look: accessible, as wide as the window, photographed", async ({
  browser,
}) => {
  const names = [
    "Ee Peony shell",
    "Ee Senko hanabi, twenty in a paper bag from the river",
    "Ee Willow",
    "Ee Roman candle",
    "Ee Catherine wheel",
  ];
  const goods = await Promise.all(
    names.map((name, n) => sell(name, 480 * (n + 1), [0, 3, 500, 8, 40][n]!)),
  );
  const dollars = await sell("Ee Comet", 1299, 20, { price: { amount: 1299, currency: "USD" } });
  const ann = await person("Ann");
  for (const product of [goods[1]!, goods[2]!, dollars])
    await call(ann, "PUT", `/v1/cart/items/${product.id}`, { quantity: 4 });
  await call(shop, "PATCH", `/v1/products/${goods[2]!.id}`, {
    price: { amount: 2000, currency: "JPY" },
  });
  const page = await open(browser, ann);
  for (const [name, path, text] of [
    ["shop", "/shop", "In stock"],
    ["product", `/shop/${goods[1]!.id}`, "Hold it still"],
    ["cart", "/cart", "The price went up"],
  ] as const) {
    await page.goto(path);
    await expect(page.locator("main").getByText(text).first()).toBeVisible();
    if (name !== "cart") await bag(page, 12);
    await check(page, name);
  }
  for (const product of goods.slice(1, 3))
    await call(ann, "DELETE", `/v1/cart/items/${product.id}`);
  await page.reload();
  await page.getByRole("button", { name: "Order now" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Confirmed" })).toBeVisible();
  await check(page, "order");
  await page.getByRole("link", { name: "All orders" }).click();
  await expect(page.locator(".ordered").getByText("Confirmed")).toBeVisible();
  await check(page, "orders");
});

test("shop: two currencies are not mixed, neither by price nor in a cart; a name finds a product", async ({
  browser,
}) => {
  const tag = `Mixed ${Date.now() % 1_000_000}`;
  const price = (amount: number, currency: string) => ({ price: { amount, currency } });
  const yen = await sell(`${tag} ladder`, 220, 9, price(220, "JPY"));
  const euro = await sell(`${tag} bridge`, 2400, 9, price(2400, "EUR"));
  const page = await open(browser, await person("Ann"), "/shop?sort=price", {
    viewport: { width: 360, height: 740 },
  });
  const search = page.getByRole("searchbox", { name: "Search products by name" });
  await search.fill(tag.toUpperCase());
  await expect(page.locator("article.good")).toHaveCount(2);
  await expect(page.getByText(/Looked at \d+ products/)).toBeInViewport();
  for (const [name, product] of [
    ["Euro", euro],
    ["Japanese Yen", yen],
  ] as const) {
    const part = page.getByRole("region", { name });
    await expect(part.getByRole("heading", { name, exact: true })).toBeInViewport();
    await expect(part.locator("article.good")).toHaveCount(1);
    await expect(part.getByRole("link", { name: product.name })).toBeInViewport();
  }
  await search.fill("no product is called this");
  await expect(page.getByText("No product has this name")).toBeInViewport();
  await search.fill(tag);

  // The second currency: said where it is added, and before.
  await page.getByRole("button", { name: `Add ${yen.name} to the cart` }).click();
  await bag(page, 1);
  await page.getByRole("link", { name: euro.name }).click();
  await expect(page.getByRole("note")).toContainText("Your cart is in Japanese Yen");
  await expect(page.getByRole("note")).toBeInViewport();
  await page.getByRole("button", { name: "Add to the cart" }).click();
  const said = page.getByText(/Your cart has prices in Euro and Japanese Yen/);
  await expect(said).toBeInViewport();
  await page.goto("/cart");
  await expect(said).toBeVisible();
});
