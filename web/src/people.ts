import { useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { toast } from "./toast";
import { body, hibana, queries, type User, type Schemas } from "./api";
import { tell } from "./failures";
import { useMe } from "./session";

type Ties = Schemas["Ties"];

const path = (uid: string) => ({ params: { path: { uid } } });
const tiesKey = (uid: string) => ["ties", uid];
// After a reload it is asked for again: what was kept may be from before the last click.
queries.setQueryDefaults(["ties"], { meta: { keep: false } });

// Whoever is asked for within a moment is asked for in one request.
const most = 50;
let batch: { ids: string[]; answer: Promise<Map<string, Ties>> } | undefined;

function ties(uid: string): Promise<Ties | undefined> {
  if (!batch || batch.ids.length >= most) {
    const ids: string[] = [];
    const answer = new Promise((due) => setTimeout(due, 10)).then(async () => {
      if (batch?.ids === ids) batch = undefined;
      const all = await body(hibana.GET("/v1/relationships", { params: { query: { ids } } }));
      return new Map(all.items.map((one) => [one.id, one]));
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

const noTies = (id: string): Ties => ({ id, following: false, followedBy: false, blocking: false });

/** Changes what is known of a person, and returns what was known before. */
export function know(uid: string, change: Partial<Ties>): Ties | undefined {
  const before = queries.getQueryData<Ties>(tiesKey(uid));
  queries.setQueryData<Ties>(tiesKey(uid), { ...(before ?? noTies(uid)), ...change });
  return before;
}

/** Follows a person, or ends that: at once on the page, and back if the API refuses. */
export async function follow(uid: string, on: boolean): Promise<void> {
  const count = (by: number) => queries.setQueriesData<User>({ queryKey: ["user"] }, (user) =>
    user?.id === uid ? { ...user, followerCount: user.followerCount + by } : user);
  const before = know(uid, { following: on });
  count(on ? 1 : -1);
  try {
    await (on ? hibana.PUT("/v1/users/{uid}/follow", path(uid)) : hibana.DELETE("/v1/users/{uid}/follow", path(uid)));
    void queries.invalidateQueries({ queryKey: ["home"], refetchType: "none" });
    // The home timeline follows by an event, in a second or so.
    setTimeout(() => void queries.invalidateQueries({ queryKey: ["home"] }), 1500);
  } catch (failure) {
    queries.setQueryData(tiesKey(uid), before);
    count(on ? -1 : 1);
    tell(failure);
  }
}

/** Blocks a person, which ends the following in both directions, or takes that back. */
export async function block(who: { id: string; nickname: string }, on: boolean): Promise<void> {
  try {
    await (on ? hibana.PUT("/v1/users/{uid}/block", path(who.id)) : hibana.DELETE("/v1/users/{uid}/block", path(who.id)));
    know(who.id, on ? { blocking: true, following: false, followedBy: false } : { blocking: false });
    toast.success(i18next.t(on ? "people.blockedToast" : "people.unblockedToast", { name: who.nickname }));
    void queries.invalidateQueries({ queryKey: ["user"] });
    await queries.invalidateQueries({ queryKey: ["blocks"] });
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
        ? body(hibana.GET("/v1/usernames/{username}", { params: { path: { username: name.slice(1).toLowerCase() } } }))
        : body(hibana.GET("/v1/users/{uid}", path(name))));
      const { id, following, followedBy, blocking } = user;
      if (following !== undefined) know(id, { following, followedBy: followedBy ?? false, blocking: blocking ?? false });
      return user;
    },
  });
}
