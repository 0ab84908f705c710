import "../../i18n/lists";
import { useQuery } from "@tanstack/react-query";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { tell, unsure } from "../../lib/failures";
import { useMe } from "../../lib/session";
import { useWishes, wish } from "../../lib/wishes";
import { listKeys } from "./keys";
import { postKeys } from "../posts/keys";

export type List = Schemas["PeopleList"];
export type ListFields = Schemas["NewList"];
export type Step = Schemas["MemberFollow"];

/** Reads the reader's own lists, newest first. */
export function useLists() {
  return useQuery({
    queryKey: listKeys.mine,
    enabled: useMe() !== undefined,
    queryFn: async () => (await body(hibana.GET("/v1/lists", {}))).items,
  });
}

/** Reads the lists of a person that the reader may see, newest first. */
export function useListsOf(uid: string) {
  return useQuery({
    queryKey: listKeys.of(uid),
    queryFn: async () =>
      (await body(hibana.GET("/v1/users/{uid}/lists", { params: { path: { uid } } }))).items,
  });
}

/** Reads one list of a person. */
export function useList(uid: string, id: string) {
  return useQuery({
    queryKey: listKeys.one(uid, id),
    queryFn: () =>
      body(hibana.GET("/v1/users/{uid}/lists/{id}", { params: { path: { uid, id } } })),
  });
}

/** Makes a list, under a key by which a request that is sent again makes no second one. */
export async function makeList(key: string, fields: ListFields): Promise<List> {
  const made = await body(
    hibana.POST("/v1/lists", {
      params: { header: { "Idempotency-Key": key } },
      body: fields,
    }),
  );
  changed();
  return made;
}

/** Changes a list of the reader. */
export async function saveList(id: string, fields: ListFields): Promise<void> {
  await hibana.PATCH("/v1/lists/{id}", { params: { path: { id } }, body: fields });
  changed();
}

/** Deletes a list of the reader. */
export async function deleteList(id: string): Promise<void> {
  await hibana.DELETE("/v1/lists/{id}", { params: { path: { id } } });
  changed();
}

const onList = (id: string, uid: string) => `list ${id} ${uid}`;

/** Tells whether a person is on a list of the reader, as the reader wants it. */
export function useOnList(id: string, uid: string) {
  const { data } = useQuery({
    queryKey: listKeys.members(id),
    queryFn: async () =>
      (await body(hibana.GET("/v1/lists/{id}/members", { params: { path: { id } } }))).items.map(
        (one) => one.id,
      ),
  });
  const [wanted] = useWishes(onList(id, uid));
  return data && (wanted ?? data.includes(uid));
}

/** Puts a person on a list of the reader, or takes the person off it. */
export async function keepOn(id: string, uid: string, on: boolean): Promise<void> {
  const params = { params: { path: { id, uid } } };
  await wish(onList(id, uid), !on, on, {
    unsure,
    failed: tell,
    send: (on, sending) =>
      on
        ? hibana.PUT("/v1/lists/{id}/members/{uid}", { ...params, ...sending })
        : hibana.DELETE("/v1/lists/{id}/members/{uid}", { ...params, ...sending }),
    settle: (on) => {
      queries.setQueryData<string[]>(listKeys.members(id), (all) => {
        const others = all?.filter((one) => one !== uid);
        return others && (on ? [...others, uid] : others);
      });
      changed();
    },
  });
}

/** Follows some members of a list, and tells where to go on. */
export function followSome(uid: string, id: string, pageToken: string | undefined) {
  return body(
    hibana.POST("/v1/users/{uid}/lists/{id}/follow", {
      params: { path: { uid, id }, query: { pageToken } },
    }),
  );
}

// What the API has of lists, and of home, which may leave members out.
function changed(): void {
  for (const name of [listKeys.all, listKeys.tweets, listKeys.allMembers, postKeys.home])
    void queries.invalidateQueries({ queryKey: name });
}

/** Reads the tags that the reader follows, the newest first. */
export function useFollowedTags() {
  return useQuery({
    queryKey: listKeys.followedTags,
    enabled: useMe() !== undefined,
    queryFn: async () => (await body(hibana.GET("/v1/users/me/followedTags", {}))).items,
  });
}

const following = (tag: string) => `tag ${tag}`;

/** Tells whether the reader follows a tag, as the reader wants it. */
export function useFollowsTag(tag: string, read: boolean): boolean {
  const [wanted] = useWishes(following(tag));
  return wanted ?? read;
}

/** Follows a tag, or ends that: at once on the page, and back if the API refuses. */
export async function followTag(tag: string, on: boolean): Promise<void> {
  const params = { params: { path: { tag } } };
  await wish(following(tag), !on, on, {
    unsure,
    failed: tell,
    send: (on, sending) =>
      on
        ? hibana.PUT("/v1/tags/{tag}/follow", { ...params, ...sending })
        : hibana.DELETE("/v1/tags/{tag}/follow", { ...params, ...sending }),
    settle: (on) => {
      queries.setQueriesData<{ content: string; isFollowing?: boolean }>(
        { queryKey: listKeys.tag },
        (about) => (about?.content === tag ? { ...about, isFollowing: on } : about),
      );
      for (const name of [listKeys.followedTags, listKeys.tag, postKeys.home])
        void queries.invalidateQueries({ queryKey: name });
    },
  });
}
