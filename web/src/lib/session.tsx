import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from "react";
import { navigate } from "wouter/use-browser-location";
import { appHere, leavingKey, noteEnd, remember, to } from "./accounts";
import { body, hibana, queries, type User } from "./api";
import { drawn } from "./drawn";
import { firebase, shows } from "./firebase";
import { tellWorker } from "./here";
import { keep } from "./keep";
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
  /** Whether the profile is being read for the first time. */
  waiting?: boolean;
  /** Whether the session of this page has ended, and nobody signed out here. */
  ended?: boolean;
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
  const [auth, setAuth] = useState<Pick<Session, "state" | "account" | "guest" | "ended">>({
    state: "loading",
    guest: true,
  });

  useEffect(() => {
    let stop = () => {};
    let unkeep: (() => void) | undefined;
    let of: string | undefined;
    let person: string | undefined;
    let ended = false;
    const heard = async (account: Account | null): Promise<void> => {
      const is = account && !account.isAnonymous ? account.uid : undefined;
      // A page is of one account. Another one, which another page signed in, gets another page.
      if (person && account && is !== person) return to(appHere());
      if (!leaving && planned())
        return signOut().catch(() => {
          leaving = false;
          sessionStorage.removeItem(leavingKey);
          return heard(account);
        });
      const gone = is ? undefined : person;
      person = is;
      shows(is); // before anything waits: a request of this page has no other account's token
      if (account?.uid !== of) {
        const before = of;
        of = account?.uid;
        tabOf(of);
        if (before !== undefined) ends.forEach((end) => end());
        unkeep?.();
        unkeep = undefined;
        // What everybody may read stays for somebody who becomes a guest while reading.
        if (before !== undefined || !account?.isAnonymous) queries.clear();
        // A session that ended elsewhere, such as in another window or by a new password.
        if (before !== undefined && !account && !leaving) {
          await import("./leave").then(
            (leave) => leave.ended(before, gone === undefined),
            () => undefined, // no network: what is kept stays for the next session of the account
          );
          if (of !== undefined) return; // somebody signed in meanwhile
        }
        if (is) {
          const begun = await keep(queries, is);
          if (of === is && !ended) unkeep = begun;
          else begun();
          present = true;
          begins.forEach((begin) => begin());
        } else present = false;
      }
      if (ended || of !== account?.uid) return;
      if (is) remember(is, undefined, account?.email ?? "");
      else if (!account && !leaving) noteEnd();
      tellWorker().catch(() => undefined);
      setAuth(
        account
          ? { state: "in", account: only(account), guest: account.isAnonymous }
          : { state: "out", guest: true, ended: gone !== undefined && !leaving },
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
      const query = { ifAny: true }; // a newcomer has none
      return (
        (await body<User | undefined>(hibana.GET("/v1/users/me", { params: { query } }))) ?? null
      );
    },
  });

  useEffect(() => {
    if (auth.ended) navigate("/sign-in", { replace: true });
  }, [auth.ended]);
  const uid = auth.account?.uid;
  useEffect(() => {
    if (!uid || me.data?.id !== uid) return;
    remember(uid, me.data);
    tellWorker().catch(() => undefined);
  }, [uid, me.data]);

  const mine = useShadow(me.data ?? undefined);
  const session = useMemo<Session>(
    () => ({
      ...auth,
      uid: auth.account?.uid,
      me: auth.guest ? null : (mine ?? me.data),
      waiting: me.isLoading,
    }),
    [auth, me.data, me.isLoading, mine],
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

let leaving = false;

const planned = () => {
  try {
    return sessionStorage.getItem(leavingKey);
  } catch {
    return null;
  }
};

/**
 * Ends the session of this page for an account that another app of the browser has, and loads a page
 * of that one. The account stays signed in there: nothing is kept or said as of a session that ended.
 */
export async function yieldTo(app: string): Promise<void> {
  leaving = true;
  try {
    await (await firebase()).auth.signOut();
  } catch (failure) {
    leaving = false;
    throw failure;
  }
  to(app);
}

/**
 * Signs out, and removes what this browser kept of the account: that of this page, or those of other
 * apps.
 */
export async function signOut(apps?: string[]): Promise<void> {
  leaving = true;
  try {
    const { leave } = await import("./leave");
    await leave(apps, () =>
      Promise.race([
        Promise.allSettled(sending.map((wait) => wait())),
        new Promise((due) => setTimeout(due, patience)),
      ]),
    );
  } catch (failure) {
    leaving = false; // what ends from here on ended elsewhere
    throw failure;
  }
}
