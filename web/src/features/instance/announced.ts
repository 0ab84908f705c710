import { useQuery } from "@tanstack/react-query";
import { amend, body, hibana, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { peopleKeys } from "../people/keys";

export type Announcement = Schemas["Announcement"];

const announcementsKey = peopleKeys.announcements;
queries.setQueryDefaults(announcementsKey, { meta: { keep: false }, staleTime: 10 * 60_000 });

const now = {
  queryKey: announcementsKey,
  queryFn: async () =>
    (await body(hibana.GET("/v1/announcements", { params: { query: { format: "html" } } }))).items,
};

/** Reads the announcements that show now. */
export const useAnnouncements = () => useQuery(now);

/** Returns the announcements, which are read if they were not. */
export const announcements = () => queries.ensureQueryData(now);

/** Takes an announcement off the home timeline, on all devices of the reader. */
export async function dismiss(id: string): Promise<void> {
  const put = (dismissed: boolean) =>
    amend<Announcement[]>(announcementsKey, (all) =>
      all.map((one) => (one.id === id ? { ...one, dismissed } : one)),
    );
  put(true);
  try {
    await hibana.PUT("/v1/announcements/{id}/dismissed", { params: { path: { id } } });
  } catch (failure) {
    put(false);
    tell(failure);
  }
}
