/** What pages say of failures before something failed. The other sentences come when it is drawn. */
export const early = {
  invalid_quantity: "A cart takes 1 to 99 of a product.",
  invalid_username: "A username has 3 to 20 of a–z, 0–9 and _.",
  mixed_currencies: "Order products in one currency at a time.",
  tag_not_found: "Nobody has used this tag yet.",
};
