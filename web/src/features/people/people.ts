import { useQuery } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import { toast } from "../../lib/toast";
import { body, hibana, queries, type User, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { useMe } from "../../lib/session";
import { bar, refresh, sweep } from "../quiet/sieve";
import { changeHome, unsure } from "../posts/tweets";
import { useWishes, wish } from "../../lib/wishes";

type Ties = Schemas["Ties"];
/** Whom an action is about. */
export type Somebody = Pick<User, "id" | "nickname">;

const path = (uid: string) => ({ params: { path: { uid } } });
const tiesKey = (uid: string) => ["ties", uid];
// After a reload it is asked for again: what was kept may be from before the last click.
queries.setQueryDefaults(["ties"], { meta: { keep: false } });

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
  const data = ties.data && {
    ...ties.data,
    ...(follows === undefined ? {} : { following: follows, requested: false }),
    ...(blocks === undefined
      ? {}
      : blocks
        ? { blocking: true, following: false, requested: false, followedBy: false }
        : { blocking: false }),
  };
  return { data, isPending: ties.isPending };
}

const following = (uid: string) => `follow ${uid}`;
const blocking = (uid: string) => `block ${uid}`;

/** Returns how many follow a person, with the reader as the reader wants it. */
export function useFollowerCount(user: User): number {
  const [wanted] = useWishes(following(user.id));
  const follows = queries.getQueryData<Ties>(tiesKey(user.id))?.following;
  return (
    user.followerCount +
    (wanted === undefined || follows === undefined || wanted === follows ? 0 : wanted ? 1 : -1)
  );
}

const noTies = (id: string): Ties => ({
  id,
  following: false,
  requested: false,
  followedBy: false,
  blocking: false,
});

/** Changes what is known of a person. */
export function know(uid: string, change: Partial<Ties>): void {
  queries.setQueryData<Ties>(tiesKey(uid), (before) => ({ ...(before ?? noTies(uid)), ...change }));
}

/** Changes what is known of the reader's mute of a person, and asks what it is. */
export function knowMute(uid: string, muting: Ties["muting"]): void {
  queries.setQueryData<Ties>(tiesKey(uid), (before) => before && { ...before, muting });
  void queries.invalidateQueries({ queryKey: tiesKey(uid) });
}

/**
 * Follows a person, or ends that: at once on the page, and back if the API refuses. A locked person
 * is asked, and a request withdrawn.
 */
export async function follow(uid: string, on: boolean): Promise<void> {
  let after: Partial<Ties> = {};
  await wish(following(uid), !on, on, {
    unsure,
    failed: tell,
    send: async (on) => {
      if (!on) await hibana.DELETE("/v1/users/{uid}/follow", path(uid));
      const tie = on ? await body(hibana.PUT("/v1/users/{uid}/follow", path(uid))) : undefined;
      after = { following: tie?.following ?? on, requested: tie?.requested ?? false }; // an older API answers with nothing
    },
    settle: () => {
      const by =
        Number(after.following) -
        Number(queries.getQueryData<Ties>(tiesKey(uid))?.following ?? false); // a request is not counted
      know(uid, after);
      queries.setQueriesData<User>({ queryKey: ["user"] }, (user) =>
        user?.id === uid ? { ...user, followerCount: Math.max(0, user.followerCount + by) } : user,
      );
      void queries.invalidateQueries({ queryKey: ["home"] });
    },
  });
}

/** Blocks a person, which ends the following in both directions, or takes that back. Returns whether it did. */
export async function block(who: Somebody, on: boolean): Promise<boolean> {
  bar(who.id, on);
  const done = await wish(blocking(who.id), !on, on, {
    unsure,
    failed: tell,
    send: (on) =>
      on
        ? hibana.PUT("/v1/users/{uid}/block", path(who.id))
        : hibana.DELETE("/v1/users/{uid}/block", path(who.id)),
    settle: (on) => {
      know(
        who.id,
        on
          ? { blocking: true, following: false, requested: false, followedBy: false }
          : { blocking: false },
      );
      toast.success(
        speech.t(on ? "people.blockedToast" : "people.unblockedToast", { name: who.nickname }),
      );
      for (const name of ["user", "followRequests", "blocks", "conversation", "conversations"])
        void queries.invalidateQueries({ queryKey: [name] });
      if (on) sweep();
      refresh(!on);
    },
  });
  if (!done) bar(who.id, !on);
  return Boolean(done);
}

const hidden = ["hiddenSharers"];

/** Lists whose shares the reader hides. */
export const hiddenSharers = (pageToken: string | undefined) =>
  body(hibana.GET("/v1/users/me/hiddenSharers", { params: { query: { pageToken } } }));

/**
 * Tells whether the reader hides what a person shares. Of very many the newest are known: the
 * others are in the settings.
 */
export function useHides(uid: string) {
  return (
    useQuery({
      queryKey: [...hidden, "some"],
      staleTime: 60_000,
      meta: { keep: false },
      queryFn: async () => (await hiddenSharers(undefined)).items.map((one) => one.user.id),
    }).data?.includes(uid) ?? false
  );
}

/** Hides what a person shares from the reader's home timeline, or shows it again. */
export async function hideShares(who: Somebody, on: boolean): Promise<void> {
  await wish(`hideShares ${who.id}`, !on, on, {
    unsure,
    failed: tell,
    send: (on) =>
      on
        ? hibana.PUT("/v1/users/{uid}/hideShares", path(who.id))
        : hibana.DELETE("/v1/users/{uid}/hideShares", path(who.id)),
    settle: (on) => {
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
      else void queries.invalidateQueries({ queryKey: ["home"] });
      void queries.invalidateQueries({ queryKey: ["authored", who.id] });
      void queries.invalidateQueries({ queryKey: hidden });
    },
  });
}

/**
 * Reads a profile by its user's id or, with an @ before it, by name. It says what stands between
 * its user and the reader.
 */
export function useUser(name: string) {
  return useQuery({
    queryKey: ["user", name],
    staleTime: 60_000,
    queryFn: async () => {
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
      const { id, following, requested, followedBy, blocking, muting } = user;
      if (following !== undefined)
        know(id, {
          following,
          requested: requested ?? false,
          followedBy: followedBy ?? false,
          blocking: blocking ?? false,
          muting,
        });
      // The page may go on under the other name.
      for (const other of [id, `@${user.username}`])
        if (other !== name) queries.setQueryData(["user", other], user);
      return user;
    },
  });
}
