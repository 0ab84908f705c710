import { queryOptions, useQuery } from "@tanstack/react-query";
import { uidHere } from "../../lib/accounts";
import { body, hibana, HibanaError, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { firebase } from "../../lib/firebase";
import { useSession } from "../../lib/session";

export type Cart = Schemas["Cart"];
export type CartItem = Schemas["CartItem"];

export const cartKey = ["cart"] as const;

/**
 * Where the key is kept that makes an order one order, also when it is sent again after a reload. A
 * change of the cart begins a new one; a sign-out removes it, see leave.ts.
 */
export const attemptKey = () => `hibana.draft.${uidHere() ?? "guest"}.order`;

// The ID token of the guest that somebody was before the sign-in to an account that has a cart of
// its own.
const guestKey = "hibana.guest";
let told = "";

/**
 * Keeps the token of a guest until the guest's cart is in that of the account, also over a reload.
 */
export const guestWas = {
  read: () => sessionStorage.getItem(guestKey),
  keep: (token: string) => sessionStorage.setItem(guestKey, token),
  forget: () => sessionStorage.removeItem(guestKey),
};

/** How the cart is read of whoever is signed in, guests too. */
export const readCart = queryOptions({
  queryKey: cartKey,
  staleTime: 5 * 60_000,
  queryFn: async () => (await merged()) ?? (await body(hibana.GET("/v1/cart", {}))),
});

/** Reads the cart; whoever is signed out has none. */
export function useCart() {
  const { state, uid } = useSession();
  return useQuery({ ...readCart, enabled: state === "in" && uid !== undefined });
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
export const rereadCart = () => queries.invalidateQueries({ queryKey: cartKey });
