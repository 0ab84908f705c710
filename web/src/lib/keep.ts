import { dehydrate, hydrate, type DehydratedState, type QueryClient } from "@tanstack/react-query";
import { createStore, delMany, get, set } from "idb-keyval";
import { onPatches, withPatches } from "./shadow";

// What was read is kept in this browser for the account that read it, so that the page shows it
// without a network. Signing out removes it.
export const store = createStore("hibana", "kept");
const age = 3 * 24 * 60 * 60 * 1000;
const form = 1; // of what is kept; another number forgets the old

interface Kept {
  form: number;
  at: number;
  state: DehydratedState;
}

/**
 * Brings back what the account had read, and keeps from now on what it reads. Returns what ends
 * that.
 */
export async function keep(queries: QueryClient, uid: string): Promise<() => void> {
  try {
    const kept = await get<Kept>(uid, store);
    if (kept && kept.form === form && Date.now() - kept.at < age) {
      // It is shown and read again: it may be from before the last click, or from another window.
      // What everybody reads alike is as old as it is.
      for (const query of kept.state.queries)
        if (query.meta?.["shared"] !== true) query.state = { ...query.state, isInvalidated: true };
      hydrate(queries, kept.state);
    }
  } catch {
    // no storage, as in some private windows: nothing is kept
  }
  let due: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const write = () => {
    due = undefined;
    if (ended) return;
    const state = dehydrate(queries, {
      shouldDehydrateMutation: () => false,
      shouldDehydrateQuery: (query) =>
        query.state.data !== undefined && query.meta?.["keep"] !== false,
    });
    // What could not be read again is kept as it was.
    for (const query of state.queries)
      query.state = { ...query.state, status: "success", error: null };
    // Patches do not outlive the page: what is kept has them.
    for (const query of state.queries)
      query.state = { ...query.state, data: withPatches(query.state.data) };
    // Of a long list its first page: the others are read again when somebody scrolls there.
    for (const query of state.queries) {
      const data = query.state.data as { pages?: unknown[]; pageParams?: unknown[] } | undefined;
      if (Array.isArray(data?.pages))
        query.state = {
          ...query.state,
          data: { pages: data.pages.slice(0, 1), pageParams: data.pageParams?.slice(0, 1) },
        };
    }
    set(uid, { form, at: Date.now(), state } satisfies Kept, store).catch(() => undefined);
  };
  const forgo = onPatches(() => (due ??= setTimeout(write, 1000)));
  const stop = queries.getQueryCache().subscribe((event) => {
    if (
      event.type === "updated" &&
      (event.action.type === "success" || event.action.type === "error")
    )
      due ??= setTimeout(write, 1000);
  });
  return () => {
    ended = true;
    stop();
    forgo();
    clearTimeout(due);
  };
}

/** The name under which the messages of an account wait in the store: outbox.ts has them. */
export const outboxOf = (uid: string) => `outbox ${uid}`;

/** Removes everything that was kept of an account. */
export async function forget(uid: string): Promise<void> {
  await delMany([uid, outboxOf(uid)], store).catch(() => undefined);
}
