import "../../i18n/policy";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import { body, hibana, HibanaError, queries, type Schemas, type UserSummary } from "../../lib/api";
import { choose, useChosen } from "../../lib/choices";
import { tell } from "../../lib/failures";
import type { Somebody } from "../people/ties";
import { toast } from "../../lib/toast";
import { noticeKeys } from "./keys";

export type Policy = Schemas["NotificationPolicy"];
export type Patch = Schemas["NotificationPolicyPatch"];
export type Request = Schemas["NotificationRequest"];

const { policy: policyKey, requests: requestsKey, accepted: acceptedKey } = noticeKeys;
// None is kept in the browser: whom the reader keeps away is nobody else's business.
queries.setQueryDefaults(policyKey, { meta: { keep: false }, staleTime: 5 * 60_000 });
queries.setQueryDefaults(acceptedKey, { meta: { keep: false }, staleTime: 60_000 });
queries.setQueryDefaults(requestsKey, { meta: { keep: false }, staleTime: 60_000 });

const readPolicy = async () => ({
  ...(await body(hibana.GET("/v1/users/me/settings/notificationPolicy", {}))),
  id: "notificationPolicy",
});

/** Reads what becomes of notifications of people whom the reader may not know. */
export function usePolicy() {
  const read = useQuery({ queryKey: policyKey, queryFn: readPolicy });
  return { ...read, data: useChosen(read.data) };
}

/** Changes the policy: at once on the page, and not if the API refuses. */
export const choosePolicy = <K extends keyof Patch>(
  policy: Policy & { id: string },
  group: K,
  action: NonNullable<Patch[K]>,
) =>
  choose<Patch & { id: string }, K>(policy, group, action, {
    send: (change, sending) =>
      hibana.PATCH("/v1/users/me/settings/notificationPolicy", { body: change, ...sending }),
  });

/**
 * Reads what the policy filtered, by sender, the newest first; always anew where it is looked at:
 * a follow, a mute or a block may have taken a request away.
 */
export function useRequests(anew = false) {
  return useInfiniteQuery({
    queryKey: requestsKey,
    refetchOnMount: anew ? "always" : true,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(
        hibana.GET("/v1/users/me/notificationRequests", {
          params: { query: { pageToken: pageParam } },
        }),
      ),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
}

/** Lets a sender through from now on, with what was filtered. */
export async function accept(who: Somebody): Promise<void> {
  const uid = who.id;
  try {
    await hibana.POST("/v1/users/me/notificationRequests/{uid}/accept", {
      params: { path: { uid } },
    });
    toast.success(speech.t("policy:requests.accepted", { name: who.nickname }));
    // The notifications come by an event, in a second or so.
    setTimeout(() => void queries.invalidateQueries({ queryKey: noticeKeys.all }), 1500);
  } catch (failure) {
    if (!gone(failure)) return tell(failure);
  }
  await settled();
}

/** Removes the request of a sender. */
export async function dismiss(who: Somebody): Promise<void> {
  const uid = who.id;
  try {
    await hibana.DELETE("/v1/users/me/notificationRequests/{uid}", { params: { path: { uid } } });
    toast.success(speech.t("policy:requests.dismissed", { name: who.nickname }));
  } catch (failure) {
    if (!gone(failure)) return tell(failure);
  }
  await settled();
}

/** Lets the policy count for an accepted sender again. */
export async function takeBack(who: Somebody): Promise<void> {
  const uid = who.id;
  try {
    await hibana.DELETE("/v1/users/me/notificationRequests/{uid}/accept", {
      params: { path: { uid } },
    });
    toast.success(speech.t("policy:accepted.done", { name: who.nickname }));
  } catch (failure) {
    return tell(failure);
  }
  await settled();
}

// A request may be gone by a call whose answer was lost, by a block, or on another device.
const gone = (failure: unknown) =>
  failure instanceof HibanaError && failure.code === "notification_request_not_found";

async function settled(): Promise<void> {
  await Promise.all(
    [policyKey, requestsKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
  );
  await queries.invalidateQueries({ queryKey: acceptedKey });
}

const together = 20; // accepted people whom a page asks for

/** Reads a page of the people whom the reader accepted, the last accepted first. */
export async function acceptedPeople(
  pageToken: string | undefined,
): Promise<{ items: UserSummary[]; nextPageToken: string }> {
  const { acceptedSenders: ids } = await queries.fetchQuery({
    queryKey: policyKey,
    queryFn: readPolicy,
  });
  const from = Number(pageToken ?? 0);
  const items = await Promise.all(ids.slice(from, from + together).map(personOf));
  return { items, nextPageToken: from + together < ids.length ? `${from + together}` : "" };
}

async function personOf(uid: string): Promise<UserSummary> {
  try {
    return await body(hibana.GET("/v1/users/{uid}", { params: { path: { uid } } }));
  } catch (failure) {
    if (!(failure instanceof HibanaError && failure.status === 404)) throw failure;
    // The account is gone, and its place is to be had back.
    const nickname = speech.t("policy:accepted.gone");
    return { id: uid, username: "", nickname, avatar: "", snippet: "" } as UserSummary;
  }
}
