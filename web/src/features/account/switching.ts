import "../../i18n/account";
import { accounts, apps, to, type Entry } from "../../lib/accounts";

/** Goes to an account of this browser, or to its sign-in if its session has ended. */
export const open = ({ app, ended }: Entry) => to(app, ended ? "/sign-in" : "/");

/** Returns the first app that no account has, if there is one. */
export const free = (list: readonly Entry[]) =>
  apps.find((app) => !list.some((one) => one.app === app));

/** Signs in to another account. The others stay signed in. */
export function add(): void {
  const app = free(accounts());
  if (app) to(app, "/sign-in");
}

/** How an account is called: by its username, or by its address until it has one. */
export const calledOf = ({ username, nickname }: Entry) => (username ? `@${username}` : nickname);
