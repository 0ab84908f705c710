import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { body, hibana, HibanaError, queries, type Schemas } from "../../lib/api";
import { attemptKey, inCart, rereadCart, took, type Cart } from "./cart";
import { tell } from "../../lib/failures";
import { reader } from "../../lib/firebase";
import { sent } from "./shop";
import "../../styles/shop.css";
import { shopKeys } from "./keys";

export type Order = Schemas["Order"];

const { order: orderKey, orders: ordersKey } = shopKeys;

/** Lists the orders of the reader, newest first. */
export function useOrders() {
  return useInfiniteQuery({
    queryKey: ordersKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(hibana.GET("/v1/orders", { params: { query: { pageToken: pageParam } } })),
    getNextPageParam: (last) => last.nextPageToken || undefined,
    refetchOnMount: "always",
  });
}

/** Reads an order, again and again while the stock is looked at. */
export function useOrder(id: string) {
  return useQuery({
    queryKey: orderKey(id),
    queryFn: async () => {
      const before = queries.getQueryData<Order>(orderKey(id))?.status;
      const order = await body(hibana.GET("/v1/orders/{id}", { params: { path: { id } } }));
      if (before && before !== order.status) settled();
      if (before && before !== order.status && order.status === "rejected") restored(order);
      return order;
    },
    refetchOnMount: "always",
    refetchInterval: (query) =>
      query.state.data?.status === "pending"
        ? Math.min(1000 * 1.2 ** query.state.dataUpdateCount, 15_000)
        : false,
  });
}

// restored reads the cart again until something of a rejected order is in it: an event puts that
// back, after the order was rejected.
function restored(order: Order, wait = 500) {
  setTimeout(async () => {
    if ((await reader()) !== order.userId) return;
    await sent(); // what was changed since is not undone by what was there before
    await rereadCart();
    if (wait < 20_000 && !order.items.some((item) => inCart(item.productId) > 0))
      restored(order, 2 * wait);
  }, wait);
}

// settled reads again what an order changes besides itself.
function settled() {
  void rereadCart();
  void queries.invalidateQueries({ queryKey: shopKeys.products });
  void queries.invalidateQueries({ queryKey: shopKeys.eachProduct });
}

/** Orders what is in the cart, at the prices that the customer was shown. A guest gives an e-mail address. */
export async function place(cart: Cart, email?: string): Promise<Order> {
  const items = cart.items.flatMap(({ productId, quantity, product }) =>
    product ? [{ productId, quantity, price: product.price }] : [],
  );
  const what = JSON.stringify(email ? [items, email] : items);
  let attempt = { key: "", what: "" };
  try {
    attempt = JSON.parse(localStorage.getItem(attemptKey()) ?? "{}") as typeof attempt;
  } catch {
    // unreadable: a new attempt
  }
  const key = attempt.what === what && attempt.key ? attempt.key : crypto.randomUUID();
  localStorage.setItem(attemptKey(), JSON.stringify({ key, what }));
  try {
    const order = await body(
      hibana.POST("/v1/orders", {
        params: { header: { "Idempotency-Key": key } },
        body: email ? { items, email } : { items },
      }),
    );
    localStorage.removeItem(attemptKey());
    took({ quantity: 0 });
    queries.setQueryData(orderKey(order.id), order);
    settled();
    return order;
  } catch (failure) {
    // After a refusal nothing was ordered; after anything else the answer may have been lost.
    if (failure instanceof HibanaError && failure.status < 500 && failure.status !== 429)
      localStorage.removeItem(attemptKey());
    void rereadCart();
    throw failure;
  }
}

/** Cancels an order: at once on the page, and back if the API refuses, as when it was shipped. */
export async function cancel(order: Order): Promise<void> {
  const key = orderKey(order.id);
  await queries.cancelQueries({ queryKey: key });
  queries.setQueryData<Order>(key, { ...order, status: "cancelled" });
  try {
    queries.setQueryData(
      key,
      await body(hibana.POST("/v1/orders/{id}/cancel", { params: { path: { id: order.id } } })),
    );
    settled();
  } catch (failure) {
    queries.setQueryData(key, order);
    tell(failure);
    void queries.invalidateQueries({ queryKey: key });
  }
}
