import { useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { toast } from "./toast";
import { body, hibana, queries, type User, type Schemas } from "./api";
import { tell } from "./failures";
import { useMe } from "./session";
import { changeHome } from "./tweets";

type Ties = Schemas["Ties"];

const path = (uid: string) => ({ params: { path: { uid } } });
const tiesKey = (uid: string) => ["ties", uid];
// After a reload it is asked for again: what was kept may be from before the last click.
queries.setQueryDefaults(["ties"], { meta: { keep: false } });

// Whoever is asked for within a moment is asked for in one request.
const most = 100;
let batch: { ids: string[]; answer: Promise<Map<string, Ties>> } | undefined;

function ties(uid: string): Promise<Ties | undefined> {
  if (!batch || batch.ids.length >= most) {
    const ids: string[] = [];
    const answer = new Promise((due) => setTimeout(due, 10)).then(async () => {
      if (batch?.ids === ids) batch = undefined;
      const known = new Map<string, Ties>();
      for (let rest = ids; rest.length > 0;) {
        const some = await body(hibana.GET("/v1/relationships", { params: { query: { ids: rest } } }));
        some.items.forEach((one) => known.set(one.id, one));
        rest = some.rest ?? []; // an older API answers all
      }
      return known;
    });
    batch = { ids, answer };
  }
  batch.ids.push(uid);
  return batch.answer.then((all) => all.get(uid));
}

/** Tells what stands between the reader and another person: who follows, and whether the reader blocks. */
export function useTies(uid: string) {
  const me = useMe();
  return useQuery({
    queryKey: tiesKey(uid),
    enabled: me !== undefined && me.id !== uid,
    staleTime: 60_000,
    queryFn: async () => (await ties(uid)) ?? noTies(uid),
  });
}

const noTies = (id: string): Ties => ({ id, following: false, requested: false, followedBy: false, blocking: false });

/** Changes what is known of a person, and returns what was known before. */
export function know(uid: string, change: Partial<Ties>): Ties | undefined {
  const before = queries.getQueryData<Ties>(tiesKey(uid));
  queries.setQueryData<Ties>(tiesKey(uid), { ...(before ?? noTies(uid)), ...change });
  return before;
}

// One call for each person at a time: what the next one ends is known from the answer.
const calls = new Map<string, Promise<void>>();

/** Follows a person, or ends that: at once on the page, and back if the API refuses. A locked person is asked, and a request withdrawn. */
export function follow(uid: string, on: boolean): Promise<void> {
  const call: Promise<void> = (calls.get(uid) ?? Promise.resolve()).then(() => tie(uid, on)).finally(() => calls.get(uid) === call && calls.delete(uid));
  calls.set(uid, call);
  return call;
}

async function tie(uid: string, on: boolean): Promise<void> {
  const count = (by: number) => queries.setQueriesData<User>({ queryKey: ["user"] }, (user) =>
    user?.id === uid ? { ...user, followerCount: user.followerCount + by } : user);
  const before = know(uid, { following: on, requested: false });
  const by = on ? 1 : before?.following === false ? 0 : -1; // a request is not counted
  count(by);
  try {
    if (on) {
      const { following = true, requested = false } = (await body(hibana.PUT("/v1/users/{uid}/follow", path(uid)))) ?? {}; // an older API answers with nothing
      if (requested) {
        know(uid, { following, requested });
        count(-by);
        return;
      }
    } else {
      await hibana.DELETE("/v1/users/{uid}/follow", path(uid));
    }
    void queries.invalidateQueries({ queryKey: ["home"], refetchType: "none" });
    // The home timeline follows by an event, in a second or so.
    setTimeout(() => void queries.invalidateQueries({ queryKey: ["home"] }), 1500);
  } catch (failure) {
    queries.setQueryData(tiesKey(uid), before);
    count(-by);
    tell(failure);
  }
}

/** Blocks a person, which ends the following in both directions, or takes that back. */
export async function block(who: { id: string; nickname: string }, on: boolean): Promise<void> {
  try {
    await (on ? hibana.PUT("/v1/users/{uid}/block", path(who.id)) : hibana.DELETE("/v1/users/{uid}/block", path(who.id)));
    know(who.id, on ? { blocking: true, following: false, requested: false, followedBy: false } : { blocking: false });
    toast.success(i18next.t(on ? "people.blockedToast" : "people.unblockedToast", { name: who.nickname }));
    void queries.invalidateQueries({ queryKey: ["user"] });
    void queries.invalidateQueries({ queryKey: ["followRequests"] });
    await queries.invalidateQueries({ queryKey: ["blocks"] });
  } catch (failure) {
    tell(failure);
  }
}

const hidden = ["hiddenSharers"];

/** Lists whose shares the reader hides. */
export const hiddenSharers = (pageToken: string | undefined) => body(hibana.GET("/v1/users/me/hiddenSharers", { params: { query: { pageToken } } }));

/** Tells whether the reader hides what a person shares. Of very many the newest are known: the others are in the settings. */
export function useHides(uid: string) {
  return useQuery({
    queryKey: [...hidden, "some"], staleTime: 60_000, meta: { keep: false },
    queryFn: async () => (await hiddenSharers(undefined)).items.map((one) => one.user.id),
  }).data?.includes(uid) ?? false;
}

/** Hides what a person shares from the reader's home timeline, or shows it again. */
export async function hideShares(who: { id: string; nickname: string }, on: boolean): Promise<void> {
  try {
    await (on ? hibana.PUT("/v1/users/{uid}/hideShares", path(who.id)) : hibana.DELETE("/v1/users/{uid}/hideShares", path(who.id)));
    toast.success(i18next.t(on ? "people.hiddenToast" : "people.shownToast", { name: who.nickname }));
    // The API may show them for a few seconds more: what is on the page goes now.
    if (on) await changeHome((home) => ({ ...home, pages: home.pages.map((page) => ({ ...page, items: page.items.filter((tweet) => tweet.sharedBy?.id !== who.id) })) }));
    else void queries.invalidateQueries({ queryKey: ["home"] });
    void queries.invalidateQueries({ queryKey: ["authored", who.id] });
    await queries.invalidateQueries({ queryKey: hidden });
  } catch (failure) {
    tell(failure);
  }
}

/** Reads a profile by its user's id or, with an @ before it, by name. It says what stands between its user and the reader. */
export function useUser(name: string) {
  return useQuery({
    queryKey: ["user", name],
    staleTime: 60_000,
    queryFn: async () => {
      const user = await (name.startsWith("@")
        ? body(hibana.GET("/v1/usernames/{username}", { params: { path: { username: name.slice(1).toLowerCase() }, query: { format: "html" } } }))
        : body(hibana.GET("/v1/users/{uid}", { params: { path: { uid: name }, query: { format: "html" } } })));
      const { id, following, requested, followedBy, blocking } = user;
      if (following !== undefined) know(id, { following, requested: requested ?? false, followedBy: followedBy ?? false, blocking: blocking ?? false });
      return user;
    },
  });
}
