// The ID token of the guest that somebody was before the sign-in to an account that has a cart of
// its own.
const place = "hibana.guest";

/**
 * Keeps the token of a guest until the guest's cart is in that of the account, also over a reload.
 */
export const guestWas = {
  read: () => sessionStorage.getItem(place),
  keep: (token: string) => sessionStorage.setItem(place, token),
  forget: () => sessionStorage.removeItem(place),
};
