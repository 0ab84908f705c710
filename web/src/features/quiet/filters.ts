import "../../i18n/quiet";
import { useQuery } from "@tanstack/react-query";
import { body, hibana, HibanaError, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { readerKeys } from "../../lib/keys";
import { useMe } from "../../lib/session";
import { speech } from "../../lib/speech";
import { toast, undoable } from "../../lib/toast";
import { quietKeys } from "./keys";
import { begin, forget, refresh, sweep } from "./sieve";

export type Filter = Schemas["Filter"];

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

/** Makes a filter, or replaces it in the version that the reader saw. */
export async function saveFilter(
  id: string,
  { title, keywords, action, contexts, expiresAt }: Schemas["FilterBody"],
  version?: string,
): Promise<void> {
  const saved = await body(
    hibana.PUT("/v1/users/me/filters/{id}", {
      params: { path: { id }, header: version ? { "If-Match": `"${version}"` } : {} },
      body: { title, keywords, action, contexts, ...(expiresAt && { expiresAt }) },
    }),
  ).catch((failure: unknown) => {
    if (failure instanceof HibanaError && failure.status === 412)
      void queries.invalidateQueries({ queryKey: key }); // it is read again to be opened again
    throw failure;
  });
  put(id, (all) =>
    all.some((one) => one.id === id)
      ? all.map((one) => (one.id === id ? saved : one))
      : [...all, saved],
  );
  sweep();
}

/** Removes a filter, which can be undone for a while. */
export async function removeFilter(filter: Filter): Promise<void> {
  const { id } = filter;
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
