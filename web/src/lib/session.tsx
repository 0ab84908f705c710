import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from "react";
import { body, hibana, HibanaError, queries, type User } from "./api";
import { drawn } from "./drawn";
import { firebase } from "./firebase";
import { tellWorker } from "./here";
import { forget, keep } from "./keep";
import { known, type Account } from "./known";
import { onReturn } from "./network";
import { forgetPatches, useShadow } from "./shadow";
import { readerKeys } from "./keys";
import { tabOf } from "./tabs";
import { forgetWishes, fulfilled } from "./wishes";

/** Who looks at the page. */
export interface Session {
  /** loading until the browser knows who is signed in; failed if it cannot ask. */
  state: "loading" | "failed" | "out" | "in";
  account?: Account;
  uid?: string;
  /** True for somebody who looks around without an account of their own. */
  guest: boolean;
  /** The profile; null for an account without one, undefined while it is read. */
  me?: User | null;
}

// A copy, because Firebase changes an account in place, as when a guest gets a password.
const only = ({ uid, isAnonymous, email, emailVerified }: Account): Account => ({
  uid,
  isAnonymous,
  email,
  emailVerified,
});

const Context = createContext<Session>({ state: "loading", guest: true });

/** Returns who looks at the page. */
export const useSession = () => useContext(Context);

/** Returns the uid of a person with a profile, who may write; undefined for guests. */
export function useMe(): User | undefined {
  return useSession().me ?? undefined;
}

export const meKey = readerKeys.me;

export function SessionProvider({ children }: { children: ReactNode }) {
  const [auth, setAuth] = useState<{ state: Session["state"]; account?: Account; guest: boolean }>({
    state: "loading",
    guest: true,
  });

  useEffect(() => {
    let stop = () => {};
    let unkeep: (() => void) | undefined;
    let of: string | undefined;
    let ended = false;
    const heard = async (account: Account | null) => {
      if (account?.uid !== of) {
        const before = of;
        of = account?.uid;
        tabOf(of);
        if (before !== undefined) ends.forEach((end) => end());
        unkeep?.();
        unkeep = undefined;
        // What everybody may read stays for somebody who becomes a guest while reading.
        if (before !== undefined || !account?.isAnonymous) queries.clear();
        // Also a session that ended elsewhere, such as in another window or by a new password.
        if (before !== undefined && !account) await forgetHere();
        if (account && !account.isAnonymous) {
          const begun = await keep(queries, account.uid);
          if (of === account.uid && !ended) unkeep = begun;
          else begun();
          present = true;
          begins.forEach((begin) => begin());
        } else present = false;
      }
      if (ended || of !== account?.uid) return;
      tellWorker(account !== null && !account.isAnonymous).catch(() => undefined);
      setAuth(
        account
          ? { state: "in", account: only(account), guest: account.isAnonymous }
          : { state: "out", guest: true },
      );
    };
    const follow = async () => {
      const [{ auth }, { onIdTokenChanged }] = await Promise.all([firebase(), import("./auth")]);
      if (!ended) stop = onIdTokenChanged(auth, heard);
    };
    const begin = async () => {
      const who = await known();
      if (who === undefined) return follow().catch(() => setAuth({ state: "failed", guest: true }));
      if (ended) return;
      await heard(who && who.account);
      // Firebase Auth says whether that holds, when the page is there.
      await drawn;
      const again = () => {
        if (ended) return;
        follow().catch(() => {
          if (!ended) stop = onReturn(() => (stop(), again()));
        });
      };
      again();
    };
    void begin();
    return () => {
      ended = true;
      stop();
      unkeep?.();
    };
  }, []);

  const me = useQuery({
    queryKey: meKey,
    enabled: auth.state === "in" && !auth.guest,
    staleTime: 5 * 60_000,
    queryFn: async () => {
      try {
        return await body(hibana.GET("/v1/users/me", {}));
      } catch (failure) {
        if (failure instanceof HibanaError && failure.code === "user_not_found") return null;
        throw failure;
      }
    },
  });

  const mine = useShadow(me.data ?? undefined);
  const session = useMemo<Session>(
    () => ({ ...auth, uid: auth.account?.uid, me: auth.guest ? null : (mine ?? me.data) }),
    [auth, me.data, mine],
  );
  return <Context.Provider value={session}>{children}</Context.Provider>;
}

// A sign-out waits for what other parts still send at most so long, in milliseconds.
const patience = 5000;
const sending: (() => Promise<unknown>)[] = [];

/** Lets a sign-out wait, for a few seconds, until the promise of a function is settled. */
export function onLeave(wait: () => Promise<unknown>): void {
  sending.push(wait);
}

const begins: (() => void)[] = [];
let present = false;

/** Calls a function when somebody with an account is here: at once if that is so already. */
export function onBegin(begin: () => void): void {
  begins.push(begin);
  if (present) begin();
}

const ends: (() => void)[] = [];

/** Calls a function at once when the account of this page is another one, or none. */
export function onEnd(end: () => void): void {
  ends.push(end);
}

onEnd(forgetPatches);
onEnd(forgetWishes);
onLeave(() => fulfilled());

/** Signs out, and removes what this browser kept of the account. */
export async function signOut(): Promise<void> {
  const [{ auth }, { tellNoMore }] = await Promise.all([firebase(), import("./push")]);
  await Promise.race([
    Promise.allSettled(sending.map((wait) => wait())),
    new Promise((due) => setTimeout(due, patience)),
  ]);
  await tellNoMore().catch(() => undefined);
  await auth.signOut();
  await forgetHere();
  location.assign("/"); // what the page itself held is gone with it
}

// forgetHere removes what this browser kept, however the session ended.
async function forgetHere(): Promise<void> {
  queries.clear();
  await forget();
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("hibana.draft") || key === "hibana.device") localStorage.removeItem(key);
  }
  sessionStorage.clear();
  // The picker of emoji counts which ones somebody uses.
  for (const locale of ["en", "ja"]) indexedDB.deleteDatabase(`emoji-picker-element-${locale}`);
  const { unsubscribe } = await import("./push");
  await unsubscribe().catch(() => undefined);
}
