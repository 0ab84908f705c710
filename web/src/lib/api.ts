import { onlineManager, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { createClient, HibanaError, type Schemas } from "@hibana/client";
import { appCheckToken, bearer, ended } from "./firebase";
import { reached } from "./network";
import { unverified } from "./verify";
import { watchReads } from "./shadow";

export { body, HibanaError, newer } from "@hibana/client";
export type { Code, Schemas } from "@hibana/client";

/** A tweet as any list or answer has it. Some lists leave counts and flags out. */
export type Tweet = Omit<Schemas["Tweet"], "language"> & { language?: string } & {
  pinned?: boolean;
  viaTag?: string;
  inReplyTo?: Schemas["Answered"];
  sharedBy?: Pick<Schemas["Sharer"], "id" | "nickname" | "others" | "sharedAt">;
};
/** A picture or a video of a tweet. */
export type Media = NonNullable<Tweet["media"]>[number];

/** What has pictures: a tweet, or something else that says how its pictures are read again. */
export interface Pictured extends Pick<Tweet, "id" | "media"> {
  author: { nickname: string };
  reread?: () => Promise<Media[]>;
}

export type User = Schemas["User"];
/** Who a person is, in one line. */
export const named = ({ nickname, username }: Pick<UserSummary, "nickname" | "username">) =>
  `${nickname} (@${username})`;
export type UserSummary = Schemas["UserSummary"];

/**
 * Where the API is: at an address of its own, so that the last proxy in front of it saw the
 * caller's; or, where it serves this page, here.
 */
export const home: string = import.meta.env.VITE_API_URL || location.origin;

/**
 * The API, with the ID token of whoever is signed in, and the App Check token of this page where
 * one is asked for.
 */
export const hibana = createClient({
  baseUrl: home,
  attempts: 3,
  fetch: async (request) => {
    try {
      const spare = request.method === "GET" ? undefined : request.clone();
      const answer = await fetch(request);
      reached(true);
      if (answer.status === 403 || answer.status === 401) {
        const { code } = (await answer
          .clone()
          .json()
          .catch(() => ({}))) as { code?: string };
        if (code === "email_not_verified") unverified(true);
        if (code === "revoked_token") void ended(request.headers.get("Authorization"));
        // Whoever makes a profile sees the terms on that page.
        if (code === "terms_required" && spare && !request.url.endsWith("/v1/users"))
          if (await (await import("./consent")).consent()) return await fetch(spare);
      }
      return answer;
    } catch (failure) {
      if (!request.signal.aborted) reached(false);
      throw failure;
    }
  },
  patience: 4000,
  token: bearer,
  appCheck: appCheckToken,
});

/** For how long what was read counts as fresh, in milliseconds. */
const fresh = 30_000;

/**
 * Cuts a list that was read longer ago than age, in milliseconds, to its first page: reading all
 * its pages again would cost as much as they did.
 */
export function cut(name: readonly unknown[], age = fresh): void {
  const state = queries.getQueryState(name);
  const data = state?.data as { pages: unknown[]; pageParams: unknown[] } | undefined;
  if (data && data.pages.length > 1 && Date.now() - state!.dataUpdatedAt >= age) {
    queries.setQueryData(
      name,
      { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
      { updatedAt: state!.dataUpdatedAt },
    );
  }
}

/**
 * Changes what was read. That makes it no fresher: it is as old as before, and what was to be read
 * again still is.
 */
export function amend<T>(name: QueryKey, how: (data: T) => T): void {
  const state = queries.getQueryState<T>(name);
  if (state?.data === undefined) return;
  queries.setQueryData<T>(name, () => how(state.data!), { updatedAt: state.dataUpdatedAt });
  if (state.isInvalidated)
    void queries.invalidateQueries({ queryKey: name, exact: true, refetchType: "none" });
}

/**
 * Changes a list that was read. A fetch under way would put back what was there when it began: it
 * ends here. That of another page is begun anew by whoever scrolls or asks again; that of the whole
 * list begins again.
 */
export async function changeList<T>(name: QueryKey, how: (data: T) => T): Promise<void> {
  const state = queries.getQueryState<T>(name);
  if (state?.data === undefined) return;
  const whole = state.fetchStatus !== "idle" && !state.fetchMeta?.fetchMore;
  await queries.cancelQueries({ queryKey: name, exact: true });
  amend(name, how);
  if (whole) void queries.invalidateQueries({ queryKey: name, exact: true });
}

// A page that is opened without a network hears of no change to that. What did not load then is read
// when there is one.
onlineManager.setOnline(navigator.onLine);

/** What was read, for every part of the page. */
export const queries = new QueryClient({
  // What the API no longer shows leaves the page, and what the browser keeps.
  queryCache: new QueryCache({
    onError: (failure, query) => {
      if (failure instanceof HibanaError && [403, 404, 410].includes(failure.status))
        query.setState({ data: undefined });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: fresh,
      gcTime: 24 * 60 * 60 * 1000,
      // The client itself asks again where that helps.
      // Without a network another attempt would wait for one, and the page with it.
      retry: (count, failure) =>
        count < 1 &&
        onlineManager.isOnline() &&
        !(failure instanceof HibanaError && failure.status < 500),
      refetchOnWindowFocus: false,
      networkMode: "offlineFirst",
    },
    mutations: { networkMode: "always", retry: false },
  },
});

watchReads(queries.getQueryCache());
