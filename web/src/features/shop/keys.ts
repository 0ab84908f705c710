/** The names of what was read of the shop. */
export const shopKeys = {
  sorted: (sort: string) => ["products", sort],
  products: ["products"],
  product: (id: string) => ["product", id],
  eachProduct: ["product"],
  cart: ["cart"],
  order: (id: string) => ["order", id],
  orders: ["orders"],
} as const;
