import "../../i18n/account";
import { accounts, free, to, type Entry } from "../../lib/accounts";

/** Goes to an account of this browser, or to its sign-in if its session has ended. */
export const open = ({ app, ended }: Entry) => to(app, ended ? "/sign-in" : "/");

/** Signs in to another account. The others stay signed in. */
export function add(): void {
  const app = free(accounts());
  if (app) to(app, "/sign-in");
}

/** How an account is called: by its username, or by its address until it has one. */
export const calledOf = ({ username, nickname }: Entry) => (username ? `@${username}` : nickname);
