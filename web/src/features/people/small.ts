import "../../i18n/small";
import { useQuery } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { know, type Somebody } from "./people";
import { toast } from "../../lib/toast";

export type Announcement = Schemas["Announcement"];

/** Removes a follower of the reader, who is not told. */
export async function removeFollower(who: Somebody): Promise<void> {
  try {
    await hibana.DELETE("/v1/users/me/followers/{uid}", { params: { path: { uid: who.id } } });
  } catch (failure) {
    return tell(failure);
  }
  know(who.id, { followedBy: false });
  for (const name of ["user", "followers", "followRequests", "me"])
    void queries.invalidateQueries({ queryKey: [name] });
  toast.success(speech.t("small:remove.done", { name: who.nickname }));
}

const noteKey = (uid: string) => ["personNote", uid];
// A note is for its reader alone: the browser keeps none.
queries.setQueryDefaults(["personNote"], { meta: { keep: false }, staleTime: 5 * 60_000 });

/** Reads the reader's note on a person. */
export function usePersonNote(uid: string) {
  return useQuery({
    queryKey: noteKey(uid),
    queryFn: () => body(hibana.GET("/v1/users/{uid}/note", { params: { path: { uid } } })),
  });
}

/** Keeps a note on a person; an empty text removes it. */
export async function keepPersonNote(uid: string, text: string): Promise<void> {
  const note = await body(
    hibana.PUT("/v1/users/{uid}/note", { params: { path: { uid } }, body: { text } }),
  );
  queries.setQueryData(noteKey(uid), note);
  toast.success(speech.t(note.text ? "small:note.saved" : "small:note.removed"));
}

const toldKey = (uid: string) => ["told", uid];
queries.setQueryDefaults(["told"], { meta: { keep: false }, staleTime: 60_000 });

/** Tells whether the posts of a followed person make notifications for the reader. */
export function useTold(uid: string, follows: boolean): boolean | undefined {
  return useQuery({
    queryKey: toldKey(uid),
    enabled: follows,
    queryFn: async () =>
      (await body(hibana.GET("/v1/users/{uid}/notify", { params: { path: { uid } } }))).notify,
  }).data;
}

/** Makes notifications of the posts of a followed person, or ends that. */
export async function tellMe(who: Somebody, on: boolean): Promise<void> {
  const path = { params: { path: { uid: who.id } } };
  try {
    if (on) await hibana.PUT("/v1/users/{uid}/notify", path);
    else await hibana.DELETE("/v1/users/{uid}/notify", path);
  } catch (failure) {
    return tell(failure);
  }
  queries.setQueryData(toldKey(who.id), on);
  toast.success(speech.t(on ? "small:told.isOn" : "small:told.isOff", { name: who.nickname }));
}

const announcementsKey = ["announcements"];
queries.setQueryDefaults(announcementsKey, { meta: { keep: false }, staleTime: 10 * 60_000 });

/** Reads the announcements that show now. */
export function useAnnouncements() {
  return useQuery({
    queryKey: announcementsKey,
    queryFn: async () =>
      (await body(hibana.GET("/v1/announcements", { params: { query: { format: "html" } } })))
        .items,
  });
}

/** Takes an announcement off the home timeline, on all devices of the reader. */
export async function dismiss(id: string): Promise<void> {
  const before = queries.getQueryData<Announcement[]>(announcementsKey);
  queries.setQueryData<Announcement[]>(announcementsKey, (all) =>
    all?.map((one) => (one.id === id ? { ...one, dismissed: true } : one)),
  );
  try {
    await hibana.PUT("/v1/announcements/{id}/dismissed", { params: { path: { id } } });
  } catch (failure) {
    queries.setQueryData(announcementsKey, before);
    tell(failure);
  }
}
