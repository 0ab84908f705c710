import {
  accounts,
  appHere,
  apps as names,
  change,
  elsewhere,
  guest,
  leavingKey,
  own,
  to,
  uidHere,
} from "./accounts";
import { queries } from "./api";
import { firebase } from "./firebase";
import { tellWorker } from "./here";
import { forget } from "./keep";
import { noteReturn, place as returning } from "./returning";

/** The apps whose accounts are still to be signed out, and that of the page after. */
interface Plan {
  apps: string[];
  then?: string;
}

function planned(): Plan | undefined {
  try {
    const { apps, then } = JSON.parse(sessionStorage.getItem(leavingKey) ?? "") as Plan;
    return { apps: apps.filter((app) => names.includes(app)), ...(then ? { then } : {}) };
  } catch {
    return undefined;
  }
}

const drop = (gone: string) => change((list) => list.filter(({ app }) => app !== gone));

/**
 * Signs out of accounts, by default that of this page. Each is signed out by a page of its own,
 * which sends nothing with the token of another: this page leads to the next one, which goes on.
 * settled waits for what the page still sends.
 */
export async function leave(
  asked: string[] | undefined,
  settled: () => Promise<unknown>,
): Promise<void> {
  const begun = planned();
  const apps = asked ?? begun?.apps ?? [appHere()];
  const then = begun?.then ?? (apps.includes(appHere()) ? undefined : appHere());
  for (const { app, uid, ended } of accounts())
    if (ended && apps.includes(app)) {
      await forgetOf(uid);
      drop(app);
    }
  if (apps.includes(appHere())) await leaveHere(settled);
  const [next] = apps.filter((app) => accounts().some((one) => one.app === app));
  if (next) {
    const plan: Plan = { apps, ...(then ? { then } : {}) };
    sessionStorage.setItem(leavingKey, JSON.stringify(plan));
    return to(next);
  }
  sessionStorage.removeItem(leavingKey);
  await tellWorker().catch(() => undefined);
  const left = accounts();
  const after = left.find(({ app }) => app === then) ?? left.find(({ ended }) => !ended) ?? left[0];
  to(after?.app ?? names[0]!); // what the page itself held is gone with it
}

async function leaveHere(settled: () => Promise<unknown>): Promise<void> {
  const [{ auth }, { tellNoMore }] = await Promise.all([firebase(), import("./push")]);
  const uid = auth.currentUser?.uid ?? uidHere();
  await settled();
  await tellNoMore().catch(() => undefined);
  drop(appHere()); // first: other pages of the account then know that it was meant
  await auth.signOut();
  if (uid) await forgetHere(uid);
}

/** Notes the page that was open when a session ended elsewhere, and removes what was kept of it. */
export async function ended(uid: string, guest: boolean): Promise<void> {
  if (!guest) noteReturn(uid);
  await forgetHere(uid);
}

async function forgetHere(uid: string): Promise<void> {
  queries.clear();
  for (const key of Object.keys(sessionStorage))
    if (![own, leavingKey, returning].includes(key)) sessionStorage.removeItem(key);
  if (!elsewhere(uid)) await forgetOf(uid);
}

// What was kept before a browser had several accounts.
const older = ["hibana.draft.order", "hibana.drafts.language", "hibana.device"];

async function forgetOf(uid: string): Promise<void> {
  await forget(uid);
  for (const key of Object.keys(localStorage))
    if (
      (older.includes(key) && appHere() === names[0]) ||
      key === `hibana.device.${uid}` ||
      [guest, uid].some((of) => key.startsWith(`hibana.draft.${of}.`))
    )
      localStorage.removeItem(key);
  // The picker of emoji counts which ones somebody uses.
  for (const language of ["en", "ja"])
    for (const name of [language, `${language}-${guest}`, `${language}-${uid}`])
      indexedDB.deleteDatabase(`emoji-picker-element-${name}`);
  const { unsubscribe } = await import("./push");
  await unsubscribe(uid).catch(() => undefined);
}
