import "../../i18n/quiet";
import { useQuery } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { tell, unsure } from "../../lib/failures";
import { rereadTies, tie, type Somebody } from "../people/people";
import { useMe } from "../../lib/session";
import { begin, forget, hush, isHushed, muting, publish, refresh, sweep } from "./sieve";
import { toast, undoable } from "../../lib/toast";
import { wish } from "../../lib/wishes";
import { readerKeys } from "../../lib/keys";
import { peopleKeys } from "../people/keys";
import { quietKeys } from "./keys";

export type Muting = Schemas["Muting"];
export type Filter = Schemas["Filter"];

// What is wanted of the mute of a person; null for none.
type Wanted = (Schemas["NewMute"] & Muting) | null;

// want has the API mute a person, or take that back: at once on the page, and not if the API refuses.
// It throws the reason for which the API did not take it.
async function want(who: Somebody, to: Wanted, settled: () => void): Promise<void> {
  let refusal: { reason: unknown } | undefined;
  const done = wish<Wanted, unknown>(muting(who.id), to ? null : forAll, to, {
    unsure,
    failed: (reason) => (refusal = { reason }),
    send: (to, sending) => {
      const one = { params: { path: { uid: who.id } }, ...sending };
      if (!to) return hibana.DELETE("/v1/users/{uid}/mute", one);
      const { until: _, ...how } = to;
      return hibana.PUT("/v1/users/{uid}/mute", { ...one, body: how });
    },
    settle: (has) => {
      const { part, until, hideNotifications } = has ?? forAll;
      tie(who.id, { muting: has ? { part, until, hideNotifications } : undefined });
      hush(who.id, has ?? undefined);
      rereadTies(who.id); // the clock of the API says when a mute ends
      for (const name of [peopleKeys.users, quietKeys.mutes])
        void queries.invalidateQueries({ queryKey: name });
      settled();
    },
  });
  publish();
  await done.finally(publish);
  if (refusal) throw refusal.reason;
}

const forAll = { part: "all" as const, until: null, hideNotifications: true };

/** Hides a person or a part of what the person does: at once, and not if the API refuses. */
export function mute(who: Somebody, how: Schemas["NewMute"]): Promise<void> {
  const until = how.seconds ? new Date(Date.now() + how.seconds * 1000).toISOString() : null;
  const before = isHushed(who.id);
  return want(who, { ...forAll, ...how, until }, () => {
    sweep();
    // A mute of less than there was brings the rest back.
    refresh(before);
    toast.success(speech.t("quiet:muted", { name: who.nickname }), {
      action: { label: speech.t("tweet.undo"), onClick: () => void unmute(who) },
    });
  });
}

/** Takes the mute of a person back, which can be undone for a while if it is known. */
export async function unmute(who: Somebody, was?: Muting): Promise<void> {
  await want(who, null, () => {
    refresh(true);
    const again = was && remainder(was);
    toast.success(speech.t("quiet:unmuted", { name: who.nickname }), {
      ...(again && {
        action: {
          label: speech.t("tweet.undo"),
          onClick: () => void mute(who, again).catch(tell),
        },
      }),
    });
  }).catch(tell);
}

// remainder returns the rest of a mute, if there is any.
function remainder({ until, ...how }: Muting): Schemas["NewMute"] | undefined {
  if (until === null) return how;
  const seconds = Math.round((Date.parse(until) - Date.now()) / 1000);
  return seconds > 0 ? { ...how, seconds } : undefined;
}

const key = quietKeys.filters;

/** Reads the reader's filters, oldest first. */
export function useFilters() {
  return useQuery({
    queryKey: key,
    enabled: useMe() !== undefined,
    staleTime: 5 * 60_000,
    queryFn: async () => (await body(hibana.GET("/v1/users/me/filters", {}))).items,
  });
}

/** Makes or replaces a filter. */
export async function saveFilter(id: string, filter: Schemas["FilterBody"]): Promise<void> {
  const saved = await body(
    hibana.PUT("/v1/users/me/filters/{id}", { params: { path: { id } }, body: filter }),
  );
  put(id, (all) =>
    all.some((one) => one.id === id)
      ? all.map((one) => (one.id === id ? saved : one))
      : [...all, saved],
  );
  sweep();
}

/** Removes a filter, which can be undone for a while. */
export async function removeFilter({ id, createdAt: _, ...filter }: Filter): Promise<void> {
  try {
    await hibana.DELETE("/v1/users/me/filters/{id}", { params: { path: { id } } });
  } catch (failure) {
    return tell(failure);
  }
  put(id, (all) => all.filter((one) => one.id !== id));
  toast(speech.t("quiet:filters.deleted", { title: filter.title }), {
    duration: undoable,
    action: {
      label: speech.t("tweet.undo"),
      onClick: () => void saveFilter(id, filter).catch(tell),
    },
  });
}

function put(id: string, how: (all: Filter[]) => Filter[]): void {
  const all = how(queries.getQueryData<Filter[]>(key) ?? []);
  queries.setQueryData(key, all);
  void queries.invalidateQueries({ queryKey: key });
  forget(id, !all.some((one) => one.id === id));
  begin(queries.getQueryData<{ id: string }>(readerKeys.me)?.id, all);
  refresh(true);
}

/** Returns a time as people say it, with its day. */
export function dateAndTime(at: string, language: string): string {
  return new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}
