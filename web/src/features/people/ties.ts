import { useQuery } from "@tanstack/react-query";
import { body, hibana, queries, type Schemas, type User } from "../../lib/api";
import { useMe } from "../../lib/session";
import { bring, patch, shadowed, useShadow } from "../../lib/shadow";
import { inAllTabs } from "../../lib/tabs";
import { useWish, useWishes } from "../../lib/wishes";
import { peopleKeys } from "./keys";
import { blocking, following, muting } from "./subjects";

// What stands between the reader and another person: who follows, asks, mutes or blocks.

type Ties = Schemas["Ties"];
/** Whom an action is about. */
export type Somebody = Pick<User, "id" | "nickname">;

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
