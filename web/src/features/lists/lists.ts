import "../../i18n/lists";
import { useQuery } from "@tanstack/react-query";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { useMe } from "../../lib/session";

export type List = Schemas["PeopleList"];
export type ListFields = Schemas["NewList"];
export type Step = Schemas["MemberFollow"];

const mine = ["lists", "mine"];

/** Reads the reader's own lists, newest first. */
export function useLists() {
  return useQuery({
    queryKey: mine,
    enabled: useMe() !== undefined,
    queryFn: async () => (await body(hibana.GET("/v1/lists", {}))).items,
  });
}

/** Reads the lists of a person that the reader may see, newest first. */
export function useListsOf(uid: string) {
  return useQuery({
    queryKey: ["lists", "of", uid],
    queryFn: async () =>
      (await body(hibana.GET("/v1/users/{uid}/lists", { params: { path: { uid } } }))).items,
  });
}

/** Reads one list of a person. */
export function useList(uid: string, id: string) {
  return useQuery({
    queryKey: ["lists", "one", uid, id],
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

/** Puts a person on a list of the reader, or takes the person off it. */
export async function keepOn(id: string, uid: string, on: boolean): Promise<void> {
  const params = { params: { path: { id, uid } } };
  await (on
    ? hibana.PUT("/v1/lists/{id}/members/{uid}", params)
    : hibana.DELETE("/v1/lists/{id}/members/{uid}", params));
  changed();
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
  for (const name of ["lists", "listed", "listMembers", "home"])
    void queries.invalidateQueries({ queryKey: [name] });
}

const tags = ["followedTags"];

/** Reads the tags that the reader follows, the newest first. */
export function useFollowedTags() {
  return useQuery({
    queryKey: tags,
    enabled: useMe() !== undefined,
    queryFn: async () => (await body(hibana.GET("/v1/users/me/followedTags", {}))).items,
  });
}

/** Follows a tag, or ends that. */
export async function followTag(tag: string, on: boolean): Promise<void> {
  const params = { params: { path: { tag } } };
  try {
    await (on
      ? hibana.PUT("/v1/tags/{tag}/follow", params)
      : hibana.DELETE("/v1/tags/{tag}/follow", params));
  } catch (failure) {
    tell(failure);
  }
  for (const name of ["followedTags", "tag", "home"])
    await queries.invalidateQueries({ queryKey: [name] });
}
