import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { body, hibana, queries, type Tweet } from "../../lib/api";
import { reader } from "../../lib/firebase";
import { useSession } from "../../lib/session";
import { homeKeys } from "./keys";

const pause = 15_000; // the shortest time between two marks, in milliseconds
queries.setQueryDefaults(homeKeys.markers, { meta: { keep: false }, staleTime: Infinity });

/** Orders ids of tweets by their time, which follows two digits of the author. */
export const newer = (a: string, b: string) => a.slice(2) > b.slice(2);

const marks = (uid: string | undefined) => ({
  queryKey: homeKeys.marker(uid),
  queryFn: async () => (await body(hibana.GET("/v1/users/me/markers", {}))).home ?? null,
});

/** Reads, once a session, how far the reader had read on any device. */
export function useMarker(): string | undefined {
  const { uid } = useSession();
  return useQuery({ ...marks(uid), enabled: uid !== undefined }).data?.lastReadId;
}

/** Reads the same, if it was not read. */
export const readMarker = async () => queries.ensureQueryData(marks(await reader()));

/**
 * Marks the newest tweet that stood in the window: while the reader scrolls at most each 15
 * seconds, and when the reader leaves. A shared tweet stands at another time than its own, and
 * marks nothing.
 */
export function useMarks(marked: string | undefined, tweets: () => Tweet[]): void {
  const last = useRef(marked);
  if (marked && (!last.current || newer(marked, last.current))) last.current = marked;
  const mark = useEffectEvent((leaves: boolean) => {
    const own = new Set(tweets().flatMap((tweet) => (tweet.sharedBy ? [] : [tweet.id])));
    let seen = last.current ?? "";
    for (const article of document.querySelectorAll<HTMLElement>("article[data-tweet]")) {
      const [id, box] = [article.dataset["tweet"]!, article.getBoundingClientRect()];
      if (own.has(id) && box.top < innerHeight && box.bottom > 0 && (!seen || newer(id, seen)))
        seen = id;
    }
    if (!seen || seen === last.current) return;
    const before = last.current;
    last.current = seen;
    hibana
      .PATCH("/v1/users/me/markers", { body: { home: { lastReadId: seen } }, keepalive: leaves })
      .catch(() => (last.current = before)); // the next mark says it again
  });
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const soon = () =>
      (due ??= setTimeout(() => {
        due = undefined;
        mark(false);
      }, pause));
    const leave = () => document.visibilityState === "hidden" && mark(true);
    soon();
    addEventListener("scroll", soon, { passive: true });
    document.addEventListener("visibilitychange", leave);
    return () => {
      clearTimeout(due);
      removeEventListener("scroll", soon);
      document.removeEventListener("visibilitychange", leave);
    };
  }, []);
}
