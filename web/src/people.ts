import { useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { toast } from "./toast";
import { body, hibana, queries, type User, type Schemas } from "./api";
import { tell } from "./failures";

const path = (uid: string) => ({ params: { path: { uid } } });

// Whoever is asked for within a moment is asked for in one request.
const most = 50;
let asked: string[] = [];
let answer: Promise<Map<string, Schemas["Ties"]>> | undefined;

function ties(uid: string): Promise<Schemas["Ties"] | undefined> {
  if (asked.length >= most) answer = undefined;
  answer ??= new Promise((done, failed) => {
    const ids = asked = [];
    setTimeout(() => {
      answer = undefined;
      body(hibana.GET("/v1/relationships", { params: { query: { ids } } }))
        .then((all) => done(new Map(all.items.map((one) => [one.id, one]))), failed);
    }, 10);
  });
  asked.push(uid);
  return answer.then((all) => all.get(uid));
}

/** Tells whether I follow a person. */
export function useFollows(me: string | undefined, uid: string | undefined) {
  return useQuery({
    queryKey: ["follows", me, uid],
    enabled: Boolean(me && uid && me !== uid),
    staleTime: 60_000,
    queryFn: async () => (await ties(uid!))?.following ?? false,
  });
}

/** Follows a person, or ends that: at once on the page, and back if the API refuses. */
export async function follow(me: string, uid: string, on: boolean): Promise<void> {
  const key = ["follows", me, uid];
  const before = queries.getQueryData<boolean>(key);
  const count = (by: number) => queries.setQueriesData<User>({ queryKey: ["user"] }, (user) =>
    user?.id === uid ? { ...user, followerCount: user.followerCount + by } : user);
  queries.setQueryData(key, on);
  count(on ? 1 : -1);
  try {
    await (on ? hibana.PUT("/v1/users/{uid}/follow", path(uid)) : hibana.DELETE("/v1/users/{uid}/follow", path(uid)));
    void queries.invalidateQueries({ queryKey: ["home"], refetchType: "none" });
    // The home timeline follows by an event, in a second or so.
    setTimeout(() => void queries.invalidateQueries({ queryKey: ["home"] }), 1500);
  } catch (failure) {
    queries.setQueryData(key, before);
    count(on ? -1 : 1);
    tell(failure);
  }
}

/** Blocks a person, or takes that back. */
export async function block(who: { id: string; nickname: string }, on: boolean): Promise<void> {
  try {
    await (on ? hibana.PUT("/v1/users/{uid}/block", path(who.id)) : hibana.DELETE("/v1/users/{uid}/block", path(who.id)));
    toast.success(i18next.t(on ? "people.blockedToast" : "people.unblockedToast", { name: who.nickname }));
    await queries.invalidateQueries({ queryKey: ["blocks"] });
    await queries.invalidateQueries({ queryKey: ["follows"] });
  } catch (failure) {
    tell(failure);
  }
}

/** Reads a profile by its user's id or, with an @ before it, by name. */
export function useUser(name: string) {
  return useQuery({
    queryKey: ["user", name],
    staleTime: 60_000,
    queryFn: () => name.startsWith("@")
      ? body(hibana.GET("/v1/usernames/{username}", { params: { path: { username: name.slice(1).toLowerCase() } } }))
      : body(hibana.GET("/v1/users/{uid}", path(name))),
  });
}

