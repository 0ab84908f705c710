import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { speech } from "../../lib/speech";
import { toast } from "../../lib/toast";
import { body, hibana, queries, type User, type Schemas } from "../../lib/api";
import { tell, unsure } from "../../lib/failures";
import { useMe } from "../../lib/session";
import { bar, blocking, muting, publish, refresh, sweep } from "../quiet/sieve";
import { changeHome } from "../posts/tweets";
import { began, bring, copied, patch, shadowed, useShadow } from "../../lib/shadow";
import { useWish, useWishes, wish } from "../../lib/wishes";
import { postKeys } from "../posts/keys";
import { peopleKeys } from "./keys";
import { quietKeys } from "../quiet/keys";
import { messageKeys } from "../messages/keys";
import { inAllTabs } from "../../lib/tabs";

type Ties = Schemas["Ties"];
/** Whom an action is about. */
export type Somebody = Pick<User, "id" | "nickname">;

const path = (uid: string) => ({ params: { path: { uid } } });
const tiesKey = peopleKeys.ties;
// After a reload it is asked for again: what was kept may be from before the last click.
queries.setQueryDefaults(peopleKeys.allTies, { meta: { keep: false } });

// Whoever is asked for within a moment is asked for in one request.
const most = 100;
let batch: { ids: string[]; answer: Promise<Map<string, Ties>> } | undefined;

function askTies(uid: string): Promise<Ties | undefined> {
  if (!batch || batch.ids.length >= most) {
    const ids: string[] = [];
    const answer = new Promise((due) => setTimeout(due, 10)).then(async () => {
      if (batch?.ids === ids) batch = undefined;
      const known = new Map<string, Ties>();
      for (let rest = ids; rest.length > 0;) {
        const some = await body(
          hibana.GET("/v1/relationships", { params: { query: { ids: rest } } }),
        );
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

/**
 * Tells what stands between the reader and another person: who follows, and whether the reader
 * blocks, as the reader wants it.
 */
export function useTies(uid: string) {
  const me = useMe();
  const ties = useQuery({
    queryKey: tiesKey(uid),
    enabled: me !== undefined && me.id !== uid,
    staleTime: 60_000,
    queryFn: async () => (await askTies(uid)) ?? noTies(uid),
  });
  const [follows, blocks] = useWishes(following(uid), blocking(uid));
  const mute = useWish<Ties["muting"] | null>(muting(uid));
  const now = useShadow(ties.data);
  const data = now && {
    ...now,
    ...(mute === undefined ? {} : { muting: mute ?? undefined }),
    ...(follows === undefined ? {} : { following: follows, requested: false }),
    ...(blocks === undefined ? {} : blocks ? blocked : { blocking: false }),
  };
  return { data, isPending: ties.isPending };
}

const following = (uid: string) => `follow ${uid}`;
export const blocked = { blocking: true, following: false, requested: false, followedBy: false };

/** Returns how many follow a person, with the reader as the reader wants it. */
export function useFollowerCount(user: User): number {
  const [wanted] = useWishes(following(user.id));
  return wanted === undefined ? user.followerCount : tied(user, "following", wanted).followerCount;
}

const noTies = (id: string): Ties => ({
  id,
  following: false,
  requested: false,
  followedBy: false,
  blocking: false,
});

/** Puts in what a read, which began at a moment, brought of the ties to a person besides. */
export function bringTies(uid: string, some: Partial<Ties>, at: number): void {
  const known = queries.getQueryData<Ties>(tiesKey(uid));
  bring(queries, tiesKey(uid), { ...((known && shadowed(known)) ?? noTies(uid)), ...some }, at);
}

/** Tells whether it was read what stands between the reader and a person. */
export const knowsTies = (uid: string) => queries.getQueryData(tiesKey(uid)) !== undefined;

/** Has the ties to a person read again. */
export const rereadTies = (uid: string) =>
  void queries.invalidateQueries({ queryKey: tiesKey(uid) });

type Tied = Partial<Ties> & { followerCount?: number };

// tied returns a copy of a person, or of the ties to one, in which one of them is so. Copies in
// lists have none.
function tied<T extends Tied, K extends keyof Ties>(copy: T, tie: K, is: Ties[K]): T {
  if (copy.following === undefined || copy[tie] === is) return copy;
  const now = { ...copy, [tie]: is };
  if (tie === "following" && now.followerCount !== undefined)
    now.followerCount = Math.max(0, now.followerCount + (is ? 1 : -1));
  return now;
}

/**
 * Notes what the API has taken of the ties to a person. Each is a patch of its own: a mute says
 * nothing of a follow.
 */
export const tie = (uid: string, change: Partial<Ties>) => ties({ uid, change });

const ties = inAllTabs("ties", ({ uid, change }: { uid: string; change: Partial<Ties> }) => {
  for (const [name, is] of Object.entries(change))
    patch<Tied & { id: string }>(uid, name, (copy) => tied(copy, name as keyof Ties, is));
});

/**
 * Follows a person, or ends that: at once on the page, and back if the API refuses. A locked person
 * is asked, and a request withdrawn.
 */
export async function follow(uid: string, on: boolean): Promise<void> {
  await wish(following(uid), !on, on, {
    unsure,
    failed: tell,
    send: async (on, sending) => {
      const one = { ...path(uid), ...sending };
      if (on) return await body(hibana.PUT("/v1/users/{uid}/follow", one));
      await hibana.DELETE("/v1/users/{uid}/follow", one);
      return undefined;
    },
    settle: (on, answer) => {
      // An older API answers with nothing.
      tie(uid, {
        following: answer?.following ?? on,
        requested: answer?.requested ?? false,
      });
      void queries.invalidateQueries({ queryKey: postKeys.home });
    },
  });
}

/** Blocks a person, which ends the following in both directions, or takes that back. Returns whether it did. */
export function block(who: Somebody, on: boolean): Promise<boolean> {
  const done = wish(blocking(who.id), !on, on, {
    unsure,
    failed: tell,
    send: (on, sending) => {
      const one = { ...path(who.id), ...sending };
      return on
        ? hibana.PUT("/v1/users/{uid}/block", one)
        : hibana.DELETE("/v1/users/{uid}/block", one);
    },
    settle: (on) => {
      tie(who.id, on ? blocked : { blocking: false });
      bar(who.id, on);
      toast.success(
        speech.t(on ? "people.blockedToast" : "people.unblockedToast", { name: who.nickname }),
      );
      for (const name of [
        peopleKeys.users,
        peopleKeys.requests,
        quietKeys.blocks,
        messageKeys.eachConversation,
        messageKeys.conversations,
      ])
        void queries.invalidateQueries({ queryKey: name });
      if (on) sweep();
      refresh(!on);
    },
  });
  publish();
  return done.finally(publish);
}

/** Lists whose shares the reader hides. */
export const hiddenSharers = (pageToken: string | undefined) =>
  body(hibana.GET("/v1/users/me/hiddenSharers", { params: { query: { pageToken } } }));

const hides = (uid: string) => `hides ${uid}`;
const theirs = (uid: string, on: boolean) => ({ id: hides(uid), on });

/**
 * Tells whether the reader hides what a person shares, as the reader wants it. Of very many the
 * newest are known: the others are in the settings.
 */
export function useHides(uid: string): boolean {
  const { data } = useQuery({
    queryKey: peopleKeys.someHidden,
    staleTime: 60_000,
    meta: { keep: false },
    queryFn: async () =>
      (await hiddenSharers(undefined)).items.map((one) => theirs(one.user.id, true)),
  });
  const one = useMemo(
    () => data && (data.find(({ id }) => id === hides(uid)) ?? copied(data, theirs(uid, false))),
    [data, uid],
  );
  const now = useShadow(one);
  const [wanted] = useWishes(hides(uid));
  return wanted ?? now?.on ?? false;
}

const hiding = inAllTabs("hides", ({ uid, on }: { uid: string; on: boolean }) =>
  patch(hides(uid), "on", () => theirs(uid, on)),
);

/** Hides what a person shares from the reader's home timeline, or shows it again. */
export async function hideShares(who: Somebody, on: boolean): Promise<void> {
  await wish(hides(who.id), !on, on, {
    unsure,
    failed: tell,
    send: (on, sending) => {
      const one = { ...path(who.id), ...sending };
      return on
        ? hibana.PUT("/v1/users/{uid}/hideShares", one)
        : hibana.DELETE("/v1/users/{uid}/hideShares", one);
    },
    settle: (on) => {
      hiding({ uid: who.id, on });
      toast.success(
        speech.t(on ? "people.hiddenToast" : "people.shownToast", { name: who.nickname }),
      );
      // The API may show them for a few seconds more: what is on the page goes now.
      if (on)
        void changeHome((home) => ({
          ...home,
          pages: home.pages.map((page) => ({
            ...page,
            items: page.items.filter((tweet) => tweet.sharedBy?.id !== who.id),
          })),
        }));
      else void queries.invalidateQueries({ queryKey: postKeys.home });
      void queries.invalidateQueries({ queryKey: postKeys.authored(who.id) });
      void queries.invalidateQueries({ queryKey: peopleKeys.hidden });
    },
  });
}

/**
 * Reads a profile by its user's id or, with an @ before it, by name. It says what stands between
 * its user and the reader.
 */
export function useUser(name: string) {
  const read = useQuery({
    queryKey: peopleKeys.user(name),
    staleTime: 60_000,
    queryFn: async () => {
      const at = began();
      const user = await (name.startsWith("@")
        ? body(
            hibana.GET("/v1/usernames/{username}", {
              params: {
                path: { username: name.slice(1).toLowerCase() },
                query: { format: "html" },
              },
            }),
          )
        : body(
            hibana.GET("/v1/users/{uid}", {
              params: { path: { uid: name }, query: { format: "html" } },
            }),
          ));
      const { id, following, requested = false, followedBy = false } = user;
      if (following !== undefined) {
        const { blocking = false, muting } = user;
        bringTies(id, { following, requested, followedBy, blocking, muting }, at);
      }
      // The page may go on under the other name.
      for (const other of [id, `@${user.username}`])
        if (other !== name) bring(queries, peopleKeys.user(other), user, at);
      return user;
    },
  });
  return { ...read, data: useShadow(read.data) ?? undefined } as typeof read;
}
