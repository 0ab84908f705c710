/** Every sentence about orders of guests, in English. guests.ja.ts has the same in Japanese. */
export const en = {
  email: "E-mail",
  emailHint:
    "The shop writes to this address about your order. It is deleted 30 days after the order ends.",
  many: "A guest orders at most {{most}} pieces at a time. Order fewer, or sign up.",
  kept: "Your cart and orders are kept for 30 days after your last visit. Sign up, and they stay. If you sign in to another account, your orders stay behind.",
  signUp: "Sign up instead",
  to: "The shop writes to {{email}}.",
  shipBy: "Unless it is on its way by {{when}}, the order is cancelled.",
  late: "The shop did not ship it in time.",
  share: "All the pieces of {{name}} that are set aside for guests are taken. Sign up, or wait.",
  of: "A guest, {{email}}",
};
