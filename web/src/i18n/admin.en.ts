/** Every sentence of the pages for moderators and administrators, in English. admin.ja.ts has the same in Japanese. */
export const en = {
  more: "Show more",
  reports: {
    title: "Reports", none: "No open reports", noneHint: "What people report waits here, the oldest first.", tweet: "The tweet", user: "The person",
    open_one: "{{count}} open report of this", open_other: "{{count}} open reports of this", note: "Why, for the log", acted: "Something was done", dismissed: "Nothing to do", done: "Resolved",
  },
  products: {
    title: "Products", new: "A new product", name: "Name", description: "Description", image: "Picture", imageHint: "An https address", price: "Price", currency: "Currency", stock: "Pieces in stock",
    add: "Add it to the shop", added: "In the shop: {{name}}", listed: "For sale", change: "Change the price", changed: "Changed", restock: "Pieces that come in", restockHint: "Below 0 they are taken out.", restockNow: "Change the stock",
    inStock_one: "{{count}} piece in stock", inStock_other: "{{count}} pieces in stock", retire: "Sell it no more", retireHint: "Nobody can order it, and orders that wait for it are rejected.", sell: "Sell it again", look: "In the shop",
  },
  orders: {
    title: "Orders", state: "Orders that are", none: "No such orders", noneHint: "The oldest stand first here.", one: "Order {{id}}", customer: "The customer",
    ship: "It was shipped", shipped: "Noted as shipped", cancelled: "Cancelled; its pieces come back into stock",
  },
};
