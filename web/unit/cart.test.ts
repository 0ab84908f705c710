import { beforeEach, expect, test, vi } from "vitest";
import { queries } from "../src/lib/api";
import {
  changed,
  inCart,
  readCart,
  show,
  took,
  type Cart,
  type Product,
} from "../src/features/shop/cart";
import { bring, began, forgetPatches } from "../src/lib/shadow";

const product = (id: string, amount: number) =>
  ({ id, name: id, price: { amount, currency: "JPY" }, active: true }) as unknown as Product;
const cart = (...items: [string, number, number][]): Cart & { id: string } => {
  let all: Cart & { id: string } = { id: "cart", items: [], totals: [] };
  for (const [id, quantity, price] of items) all = changed(all, id, quantity, product(id, price));
  return all;
};
const read = (what: Cart & { id: string }, at = began()) =>
  bring(queries, readCart.queryKey, structuredClone(what), at);

beforeEach(() => {
  forgetPatches();
  queries.clear();
});

test("a read of the cart that began before a change was taken does not undo it", () => {
  read(cart(["wheel", 1, 100], ["rocket", 2, 50]));
  const at = began();
  took({ productId: "wheel", quantity: 4 });
  read(cart(["wheel", 1, 100], ["rocket", 3, 50]), at);
  expect([inCart("wheel"), inCart("rocket")]).toEqual([4, 3]);
  read(cart(["wheel", 1, 100], ["rocket", 3, 50])); // changed on another device
  expect([inCart("wheel"), inCart("rocket")]).toEqual([1, 3]);
});

test("what is ordered is out of the cart, and what is put into it later is in it", () => {
  read(cart(["wheel", 1, 100]));
  took({ productId: "wheel", quantity: 4 });
  took({ quantity: 0 });
  expect(inCart("wheel")).toBe(0);
  took({ productId: "rocket", quantity: 2, product: product("rocket", 50) });
  expect([inCart("wheel"), inCart("rocket")]).toEqual([0, 2]);
});

test("totals are those of what is sold, by currency", () => {
  const two = changed(cart(["wheel", 3, 100], ["rocket", 2, 50]), "euro", 2, {
    ...product("euro", 7),
    price: { amount: 7, currency: "EUR" },
  });
  expect(two.totals).toEqual([
    { currency: "EUR", amount: 14 },
    { currency: "JPY", amount: 400 },
  ]);
  expect(changed(two, "wheel", 0).totals[1]).toEqual({ currency: "JPY", amount: 100 });
  expect(changed(two, "none", 0)).toBe(two);
});

test("a line shows the product that was put into the cart here", () => {
  show(product("wheel", 100));
  expect(changed(cart(), "wheel", 2).items[0]?.product?.name).toBe("wheel");
});

test("what a guest orders stands under no account, also where one's session has ended", async () => {
  const entry = { app: "[DEFAULT]", uid: "ann", username: "ann", nickname: "Ann", avatar: "" };
  const keyWith = async (list: object[]) => {
    vi.resetModules();
    localStorage.setItem("hibana.accounts", JSON.stringify(list));
    return (await import("../src/features/shop/cart")).attemptKey();
  };
  expect(await keyWith([entry])).toBe("hibana.draft.ann.order");
  expect(await keyWith([{ ...entry, ended: true }])).toBe("hibana.draft.guest.order");
  expect(await keyWith([])).toBe("hibana.draft.guest.order");
  const { remember, usual } = await import("../src/features/posts/compose/languages");
  remember("ja");
  expect(usual()).toBe("ja");
  expect(Object.keys(localStorage)).toContain("hibana.draft.guest.language"); // a sign-out finds it
  localStorage.clear();
});
