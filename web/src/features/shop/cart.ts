import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ownerHere } from "../../lib/accounts";
import { body, hibana, HibanaError, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { firebase } from "../../lib/firebase";
import { useSession } from "../../lib/session";
import { patch, shadowed, useShadow } from "../../lib/shadow";
import { useWishesOf } from "../../lib/wishes";
import { guestWas } from "./guest";
import { shopKeys } from "./keys";
import { inAllTabs } from "../../lib/tabs";

export type Cart = Schemas["Cart"];
export type CartItem = Schemas["CartItem"];
export type Product = Schemas["Product"];

/**
 * Where the key is kept that makes an order one order, also when it is sent again after a reload. A
 * change of the cart begins a new one; a sign-out removes it, see leave.ts.
 */
export const attemptKey = () => `hibana.draft.${ownerHere()}.order`;

let told = "";

// The cart is one thing, whose patches and wishes are by product.
const id = "cart";
type Known = Cart & { id: string };

/** How the cart is read of whoever is signed in, guests too. */
export const readCart = queryOptions({
  queryKey: shopKeys.cart,
  staleTime: 5 * 60_000,
  queryFn: async (): Promise<Known> => ({
    ...((await merged()) ?? (await body(hibana.GET("/v1/cart", {})))),
    id,
  }),
});

/** Reads the cart, as the customer wants it; whoever is signed out has none. */
export function useCart() {
  const { state, uid } = useSession();
  const read = useQuery({ ...readCart, enabled: state === "in" && uid !== undefined });
  const has = useShadow(read.data);
  const wanted = useWishesOf<number>(wanting(""));
  const data = useMemo(
    () => has && wanted.reduce((cart, one) => changed(cart, ...one), has),
    [has, wanted],
  );
  return { ...read, data } as typeof read;
}

/** The subject of wishes for so many pieces of a product. */
export const wanting = (productId: string) => `cart ${productId}`;

/** Returns the cart that the API has, as far as is known. */
export function cartNow(): Cart | undefined {
  const cart = queries.getQueryData<Known>(shopKeys.cart);
  return (cart && shadowed(cart)) ?? undefined;
}

/** Returns how many pieces of a product the API has in the cart, as far as is known. */
export const inCart = (productId: string) =>
  cartNow()?.items.find((item) => item.productId === productId)?.quantity ?? 0;

/** What the API has taken of a cart: pieces of a product, or an order of all. */
export interface Taken {
  productId?: string;
  quantity: number;
  product?: Product | undefined;
}

/** Notes what the API has taken of the cart. */
export const took = inAllTabs("cart", ({ productId, quantity, product }: Taken) =>
  patch<Known>(id, productId ?? "", (cart) =>
    productId ? changed(cart, productId, quantity, product) : { id, items: [], totals: [] },
  ),
);

// Products that were put into the cart here: the line of one is there before the API says more.
const most = 100;
const put = new Map<string, Product>();

/** Keeps what a line of the cart will show. */
export function show(product: Product): void {
  put.delete(product.id);
  put.set(product.id, product);
  for (const first of put.keys()) if (put.size > most) put.delete(first);
}

/** Returns a cart with so many pieces of a product, and with the totals that the API will say. */
export function changed<T extends Cart>(
  cart: T,
  productId: string,
  quantity: number,
  product: Product | undefined = put.get(productId),
): T {
  const there = cart.items.find((item) => item.productId === productId);
  if ((there?.quantity ?? 0) === quantity) return cart;
  let items = cart.items;
  if (quantity === 0) items = items.filter((item) => item !== there);
  else if (there) items = items.map((item) => (item === there ? { ...item, quantity } : item));
  else items = [...items, { productId, quantity, changes: [], ...(product ? { product } : {}) }];
  return { ...cart, items, totals: totalsOf(items) };
}

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

// merged takes over the cart of the guest that the account was before. It answers nothing if there
// was none, or if it cannot be taken over.
async function merged(): Promise<Cart | undefined> {
  const guestToken = guestWas.read();
  if (!guestToken || (await firebase()).auth.currentUser?.isAnonymous) return undefined;
  try {
    const cart = await body(hibana.POST("/v1/cart/merge", { body: { guestToken } }));
    guestWas.forget();
    return cart;
  } catch (failure) {
    if (!(failure instanceof HibanaError) || failure.status >= 500 || failure.status === 429)
      throw failure;
    // A full cart may have room later.
    if (failure.code !== "cart_full") guestWas.forget();
    if (told !== guestToken) tell(failure);
    told = guestToken;
    return undefined;
  }
}

/** How many pieces are in a cart. */
export const pieces = (cart: Cart | undefined) =>
  cart?.items.reduce((sum, item) => sum + item.quantity, 0) ?? 0;

/** Reads the cart again. */
export const rereadCart = () => queries.invalidateQueries({ queryKey: shopKeys.cart });
