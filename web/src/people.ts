import { useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { toast } from "./toast";
import { body, hibana, HibanaError, queries, type User } from "./api";
import { tell } from "./failures";

const path = (uid: string) => ({ params: { path: { uid } } });

/** Tells whether one person follows another. */
export function useFollows(follower: string | undefined, followed: string | undefined) {
  return useQuery({
    queryKey: ["follows", follower, followed],
    enabled: Boolean(follower && followed && follower !== followed),
    staleTime: 60_000,
    queryFn: async () => {
      try {
        await hibana.GET("/v1/relationships/{followerId}/{followedId}", { params: { path: { followerId: follower!, followedId: followed! } } });
        return true;
      } catch (failure) {
        if (failure instanceof HibanaError && failure.status === 404) return false;
        throw failure;
      }
    },
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

