import "../../i18n/small";
import { useQuery } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { tell, unsure } from "../../lib/failures";
import { tie, type Somebody } from "./ties";
import { patch, useShadow } from "../../lib/shadow";
import { toast } from "../../lib/toast";
import { useWishes, wish } from "../../lib/wishes";
import { readerKeys } from "../../lib/keys";
import { peopleKeys } from "./keys";
import { inAllTabs } from "../../lib/tabs";

/** Removes a follower of the reader, who is not told. */
export async function removeFollower(who: Somebody): Promise<void> {
  try {
    await hibana.DELETE("/v1/users/me/followers/{uid}", { params: { path: { uid: who.id } } });
  } catch (failure) {
    return tell(failure);
  }
  tie(who.id, { followedBy: false });
  for (const name of [peopleKeys.users, peopleKeys.followers, peopleKeys.requests, readerKeys.me])
    void queries.invalidateQueries({ queryKey: name });
  toast.success(speech.t("small:remove.done", { name: who.nickname }));
}

// A note is for its reader alone: the browser keeps none.
queries.setQueryDefaults(peopleKeys.notes, { meta: { keep: false }, staleTime: 5 * 60_000 });

/** Reads the reader's note on a person. */
export function usePersonNote(uid: string) {
  const read = useQuery({
    queryKey: peopleKeys.note(uid),
    queryFn: async () =>
      noteOf(uid, await body(hibana.GET("/v1/users/{uid}/note", { params: { path: { uid } } }))),
  });
  return useShadow(read.data);
}

type Noted = Schemas["PersonNote"] & { id: string };
const noted = inAllTabs("note", (note: Noted) => patch(note.id, "text", () => note));
const noteOf = (uid: string, note: Schemas["PersonNote"]): Noted => ({
  ...note,
  id: `note ${uid}`,
});

/** Keeps a note on a person; an empty text removes it. */
export async function keepPersonNote(uid: string, text: string): Promise<void> {
  const note = await body(
    hibana.PUT("/v1/users/{uid}/note", { params: { path: { uid } }, body: { text } }),
  );
  noted(noteOf(uid, note));
  toast.success(speech.t(note.text ? "small:note.saved" : "small:note.removed"));
}

queries.setQueryDefaults(peopleKeys.allTold, { meta: { keep: false }, staleTime: 60_000 });

const telling = (uid: string) => `told ${uid}`;
const toldOf = (uid: string, on: boolean) => ({ id: telling(uid), on });

/**
 * Tells whether the posts of a followed person make notifications for the reader, as the reader
 * wants it.
 */
export function useTold(uid: string, follows: boolean): boolean | undefined {
  const { data } = useQuery({
    queryKey: peopleKeys.told(uid),
    enabled: follows,
    queryFn: async () =>
      toldOf(
        uid,
        (await body(hibana.GET("/v1/users/{uid}/notify", { params: { path: { uid } } }))).notify,
      ),
  });
  const now = useShadow(data);
  const [wanted] = useWishes(telling(uid));
  return now ? (wanted ?? now.on) : undefined;
}

const tells = inAllTabs("told", ({ uid, on }: { uid: string; on: boolean }) =>
  patch(telling(uid), "on", () => toldOf(uid, on)),
);

/** Makes notifications of the posts of a followed person, or ends that. */
export async function tellMe(who: Somebody, on: boolean): Promise<void> {
  await wish(telling(who.id), !on, on, {
    unsure,
    failed: tell,
    send: (on, sending) => {
      const one = { params: { path: { uid: who.id } }, ...sending };
      return on
        ? hibana.PUT("/v1/users/{uid}/notify", one)
        : hibana.DELETE("/v1/users/{uid}/notify", one);
    },
    settle: (on) => {
      tells({ uid: who.id, on });
      toast.success(speech.t(on ? "small:told.isOn" : "small:told.isOff", { name: who.nickname }));
    },
  });
}
