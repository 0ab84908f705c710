import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import { lookAround } from "../account/accounts";
import { body, hibana, queries } from "../../lib/api";
import {
  attemptKey,
  cartNow,
  inCart,
  readCart,
  rereadCart,
  show,
  took,
  wanting,
  type CartItem,
  type Product,
} from "./cart";
import { tell, unsure } from "../../lib/failures";
import { currencies } from "./money";
import { toast } from "../../lib/toast";
import { fulfilled, wish, wished, wishesOf } from "../../lib/wishes";
import "../../styles/shop.css";
import { shopKeys } from "./keys";

export type { Product } from "./cart";
export type Sort = "name" | "price";

/** The most pieces of a product in a cart. */
export const mostPieces = 99;

/** Reads what is for sale, page by page. */
export function useProducts(sort: Sort) {
  return useInfiniteQuery({
    queryKey: shopKeys.sorted(sort),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(hibana.GET("/v1/products", { params: { query: { sort, pageToken: pageParam } } })),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
}

/** Reads a product, which may be sold no more. */
export function useProduct(id: string) {
  return useQuery({
    queryKey: shopKeys.product(id),
    queryFn: () => body(hibana.GET("/v1/products/{id}", { params: { path: { id } } })),
  });
}

/**
 * Changes how many pieces of a product are in the cart, by a function of the present quantity; 0
 * takes it out. It is done at once on the page, and taken back if the API refuses. Carts take a
 * write a second: one product is sent after the other. Somebody who is signed out becomes a guest.
 * Returns whether the API has taken it.
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
  // From here on without a pause: the next click finds what this one has done.
  const has = inCart(id);
  const quantity = to(wished<number>(wanting(id)) ?? has);
  if (product) show(product);
  localStorage.removeItem(attemptKey()); // the next order is another
  const done = await wish(wanting(id), has, quantity, {
    lane: "cart",
    unsure,
    failed: tell,
    send: (quantity, sending) => {
      const one = { params: { path: { id } }, ...sending };
      return quantity > 0
        ? hibana.PUT("/v1/cart/items/{id}", { ...one, body: { quantity } })
        : hibana.DELETE("/v1/cart/items/{id}", one);
    },
    settle: (quantity) => took({ productId: id, quantity, product }),
  });
  if (wishesOf(wanting("")).length === 0) void rereadCart();
  return done;
}

/** Waits for the changes of the cart that are still being sent. */
export const sent = () => fulfilled(wanting(""));

/** Puts more of a product into the cart. */
export async function add(product: Product, more: number): Promise<void> {
  try {
    await lookAround();
    await queries.ensureQueryData(readCart); // the quantity replaces what the cart has, which must be known
    if ((wished<number>(wanting(product.id)) ?? inCart(product.id)) >= mostPieces)
      return void toast.error(speech.t("errors.invalid_quantity"), { id: "cart" });
  } catch (failure) {
    return tell(failure);
  }
  if (!(await put(product.id, (quantity) => Math.min(quantity + more, mostPieces), product)))
    return;
  const added = speech.t("shop.added", { name: product.name });
  const codes = (cartNow()?.totals ?? []).map(({ currency }) => currency);
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
