import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import { lookAround } from "../account/accounts";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { attemptKey, cartKey, readCart, rereadCart, type Cart, type CartItem } from "./cart";
import { currencies } from "./money";
import { tell } from "../../lib/failures";
import { onLeave } from "../../lib/session";
import { toast } from "../../lib/toast";
import "../../styles/shop.css";

export type Product = Schemas["Product"];
export type Sort = "name" | "price";

/** The most pieces of a product in a cart. */
export const mostPieces = 99;

/** Reads what is for sale, page by page. */
export function useProducts(sort: Sort) {
  return useInfiniteQuery({
    queryKey: ["products", sort],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(hibana.GET("/v1/products", { params: { query: { sort, pageToken: pageParam } } })),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
}

/** Reads a product, which may be sold no more. */
export function useProduct(id: string) {
  return useQuery({
    queryKey: ["product", id],
    queryFn: () => body(hibana.GET("/v1/products/{id}", { params: { path: { id } } })),
  });
}

// Carts take a write a second: the last wanted quantity of each product is sent, one after the
// other.
const wanted = new Map<string, number>();
let sending: Promise<boolean> | undefined;
let underWay: { id: string; stop: AbortController } | undefined;

// Whoever leaves the page means what was clicked: all that waits is sent at once, and outlives the
// page.
addEventListener("pagehide", () => {
  if (underWay && wanted.has(underWay.id)) underWay.stop.abort(); // it could arrive after the quantity that follows it
  for (const [id, quantity] of wanted) change(id, quantity).catch(() => undefined);
  wanted.clear();
});

function change(id: string, quantity: number, signal?: AbortSignal) {
  const options = { params: { path: { id } }, keepalive: true, ...(signal ? { signal } : {}) };
  return quantity > 0
    ? hibana.PUT("/v1/cart/items/{id}", { ...options, body: { quantity } })
    : hibana.DELETE("/v1/cart/items/{id}", options);
}

/**
 * Changes how many pieces of a product are in the cart, by a function of the present quantity; 0
 * takes it out. It is done at once on the page, and taken back if the API refuses. Somebody who is
 * signed out becomes a guest. Returns whether the API has taken it.
 */
export async function put(
  id: string,
  to: (quantity: number) => number,
  product?: Product,
): Promise<boolean> {
  try {
    await lookAround();
  } catch (failure) {
    tell(failure);
    return false;
  }
  await queries.cancelQueries({ queryKey: cartKey });
  // From here on without a pause: the next click finds what this one has done.
  const before = queries.getQueryData<Cart>(cartKey);
  const quantity = to(has(before, id));
  queries.setQueryData<Cart>(
    cartKey,
    withQuantity(before ?? { items: [], totals: [] }, id, quantity, product),
  );
  wanted.set(id, quantity);
  localStorage.removeItem(attemptKey()); // the next order is another
  return (sending ??= send(before));
}

const has = (cart: Cart | undefined, id: string) =>
  cart?.items.find((item) => item.productId === id)?.quantity ?? 0;

async function send(before: Cart | undefined): Promise<boolean> {
  try {
    for (let [next] = wanted; next; [next] = wanted) {
      const [id, quantity] = next;
      wanted.delete(id);
      underWay = { id, stop: new AbortController() };
      await change(id, quantity, underWay.stop.signal);
    }
    return true;
  } catch (failure) {
    if (underWay?.stop.signal.aborted) return true; // the page was left, and has sent what follows
    wanted.clear();
    queries.setQueryData(cartKey, before);
    tell(failure);
    return false;
  } finally {
    sending = underWay = undefined;
    void rereadCart();
  }
}

/** Waits for the changes of the cart that are still being sent. */
export const sent = async (): Promise<unknown> => sending;
onLeave(sent);

function withQuantity(
  cart: Cart,
  id: string,
  quantity: number,
  product: Product | undefined,
): Cart {
  const there = cart.items.find((item) => item.productId === id);
  let items = cart.items;
  if (quantity === 0) items = items.filter((item) => item !== there);
  else if (there) items = items.map((item) => (item === there ? { ...item, quantity } : item));
  else
    items = [...items, { productId: id, quantity, changes: [], ...(product ? { product } : {}) }];
  return { items, totals: totalsOf(items) };
}

// totalsOf is what the API will say, for the time until it does.
function totalsOf(items: CartItem[]): Cart["totals"] {
  const sums = new Map<string, number>();
  for (const { product, quantity } of items) {
    if (product?.active)
      sums.set(
        product.price.currency,
        (sums.get(product.price.currency) ?? 0) + product.price.amount * quantity,
      );
  }
  return [...sums]
    .map(([currency, amount]) => ({ currency, amount }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** Puts more of a product into the cart. */
export async function add(product: Product, more: number): Promise<void> {
  try {
    await lookAround();
    const cart = await queries.ensureQueryData(readCart); // the quantity replaces what the cart has, which must be known
    if (has(cart, product.id) >= mostPieces)
      return void toast.error(speech.t("errors.invalid_quantity"), { id: "cart" });
  } catch (failure) {
    return tell(failure);
  }
  if (!(await put(product.id, (quantity) => Math.min(quantity + more, mostPieces), product)))
    return;
  const added = speech.t("shop.added", { name: product.name });
  const codes = (queries.getQueryData<Cart>(cartKey)?.totals ?? []).map(({ currency }) => currency);
  if (codes.length < 2) return void toast.success(added, { id: "cart" });
  const mixed = speech.t("shop.mixed", { currencies: currencies(codes, speech.language) });
  toast(`${added}. ${mixed}`, { id: "cart", duration: 5_000 });
}

/** Says which prices the customer was shown. */
export async function see(items: CartItem[]): Promise<void> {
  const prices = Object.fromEntries(
    items.flatMap(({ productId, product }) => (product ? [[productId, product.price]] : [])),
  );
  await hibana.PUT("/v1/cart/seen", { body: { prices } });
}
