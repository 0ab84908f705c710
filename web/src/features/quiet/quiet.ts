import "../../i18n/quiet";
import { speech } from "../../lib/speech";
import { hibana, queries, type Schemas } from "../../lib/api";
import { tell, unsure } from "../../lib/failures";
import { rereadTies, tie, type Somebody } from "../people/ties";
import { hush, isHushed, publish, refresh, sweep } from "./sieve";
import { toast } from "../../lib/toast";
import { wish } from "../../lib/wishes";
import { peopleKeys } from "../people/keys";
import { quietKeys } from "./keys";
import { muting } from "../people/subjects";

export type Muting = Schemas["Muting"];

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
