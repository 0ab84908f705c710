/** Every sentence about moves between servers, in English. moving.ja.ts has the same in Japanese. */
export const en = {
  title: "Moving",
  hint: "Your accounts on other servers, and moving from one to another.",
  off: "This server is not connected to other servers, so nobody moves from here or to here.",
  others: "Other accounts of mine",
  othersHint:
    "To move here from another server, add your account there first. Then start the move on that server.",
  none: "There is no other account.",
  account: "Account on another server",
  add: "Add",
  added: "The account is added",
  remove: "Remove",
  removeOf: "Remove {{of}}",
  removed: "The account is removed",
  full: "There are 10 accounts. Remove one to add another.",
  away: "Move away",
  first: "First add this account as an alias in the settings of the new one.",
  followers:
    "Your followers follow the new account in place of this one: those here at once, others when their servers do it.",
  stays: "Your posts, and the people you follow, stay here. They do not move.",
  says: "Your profile says where you moved to. You can still sign in and post.",
  final: "This cannot be undone. You can only move to yet another account.",
  to: "New account",
  confirm: "Enter your username to confirm",
  now: "Move away",
  done: "Your account has moved. Your followers are on their way.",
  notAlias:
    "The new account does not name this one as an alias yet. Add it in the settings of the new account (in Mastodon: Account, Moving from a different account), and try again.",
  nobody:
    "Nobody was found under this name. Check it, with the server after the second @. If it is right, that server may not answer now: try again later.",
  often: "You looked up many accounts. Wait a minute, and try again.",
};
