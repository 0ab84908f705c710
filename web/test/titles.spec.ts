import { expect } from "@playwright/test";
import { administrator, call, follows, fresh, open, person, post, test, until } from "./people";

test("every page says in its title what it is, in English", async ({ browser }) => {
  const [ann, keeper] = [await person("Ann"), await administrator()];
  const tweet = await post(
    ann,
    "A **lantern** goes up, and the whole river sees how it shines on and on",
    {
      language: "en",
    },
  );
  const warned = await post(ann, "It was the butler", { summary: "The end of a book" });
  const product = await call(keeper, "POST", "/v1/products", {
    name: "A lantern of paper",
    price: { amount: 500, currency: "JPY" },
    stock: 3,
  });
  const list = await call(ann, "POST", "/v1/lists", { title: "Friends of fire" });
  const page = await open(browser, ann);
  for (const [path, title] of [
    ["/", "Home"],
    ["/explore", "Explore"],
    ["/explore?q=lantern", "Search: lantern"],
    ["/notifications", "Notifications"],
    ["/notifications/requests", "Filtered notifications"],
    ["/messages", "Messages"],
    ["/bookmarks", "Bookmarks"],
    ["/drafts", "Drafts"],
    ["/shop", "Shop"],
    [`/shop/${product.id}`, "A lantern of paper"],
    ["/cart", "Cart"],
    ["/orders", "Orders"],
    [`/users/${ann.id}`, `Ann (@${ann.name})`],
    [`/users/${ann.id}/likes`, `Ann (@${ann.name})`],
    [`/users/${ann.id}/followers`, `Followers: Ann (@${ann.name})`],
    [`/users/${ann.id}/lists/${list.id}`, "Friends of fire"],
    ["/lists", "Lists and tags"],
    ["/people/find", "People to follow"],
    ["/tags/lantern", "#lantern"],
    [`/tweets/${tweet.id}`, "Ann: A lantern goes up, and the whole river sees how it shines…"],
    [`/tweets/${warned.id}`, "Ann: The end of a book"],
    ["/settings", "Settings"],
    ["/settings/account", "Sign-in and security"],
    ["/auth/edit", "Sign-in and security"],
    ["/settings/preferences/other", "Settings"],
    ["/settings/filters", "Filters"],
    ["/about", "About this server"],
    ["/no/such/page", "There is no such page"],
  ] as const) {
    await page.goto(path);
    await expect(page, path).toHaveTitle(`${title} · Hibana`, { timeout: 15_000 });
  }
  const hers = await open(browser, keeper, "/admin/products");
  await expect(hers).toHaveTitle("Products · Administration · Hibana");

  const visitor = await fresh(browser);
  for (const [path, title] of [
    ["/", "Sign in"],
    ["/sign-up", "Create an account"],
  ] as const) {
    await visitor.goto(path);
    await expect(visitor, path).toHaveTitle(`${title} · Hibana`);
  }
});

test(
  "a title follows the reader from page to page, counts what is unread, and is Japanese",
  { tag: "@short" },
  async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    await follows(ben, ann);
    await until(async () => (await call(ann, "GET", "/v1/notifications")).items.length === 1);
    const page = await open(browser, ann, "/explore", { locale: "ja-JP" });
    await expect(page).toHaveTitle("(1) さがす · Hibana");
    await page.getByRole("link", { name: "ブックマーク" }).first().click();
    await expect(page).toHaveTitle("(1) ブックマーク · Hibana");
    await page.goBack();
    await expect(page).toHaveTitle("(1) さがす · Hibana");
    // Looking reads them.
    await page.getByRole("link", { name: /^通知/ }).first().click();
    await expect(page).toHaveTitle("通知 · Hibana");
  },
);
