import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { speech } from "../../lib/speech";
import { toast } from "../../lib/toast";
import { body, hibana, queries } from "../../lib/api";
import { tell, unsure } from "../../lib/failures";
import { bar, publish, refresh, sweep } from "../quiet/sieve";
import { changeHome } from "../posts/tweets";
import { began, bring, copied, patch, useShadow } from "../../lib/shadow";
import { useWishes, wish } from "../../lib/wishes";
import { postKeys } from "../posts/keys";
import { peopleKeys } from "./keys";
import { quietKeys } from "../quiet/keys";
import { messageKeys } from "../messages/keys";
import { inAllTabs } from "../../lib/tabs";
import { bringTies, blocked, tie, type Somebody } from "./ties";
import { blocking, following } from "./subjects";

const path = (uid: string) => ({ params: { path: { uid } } });

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
  body(
    hibana.GET("/v1/users/me/hiddenSharers", { params: { query: { pageToken, format: "html" } } }),
  );

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
