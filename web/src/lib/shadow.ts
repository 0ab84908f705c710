import type { QueryCache, QueryClient, QueryKey } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

// What the API has taken since a copy of a thing was read stands beside what was read, by the
// thing's id, and is merged when the thing is drawn. Things are tweets, people, carts, settings. A
// copy goes without a patch once it was read
// anew: by a read that began after the API had acknowledged what the patch says. A read that began
// before and ends after may know nothing of it, and is drawn with the patch.

/** A thing as it is now; null takes it off the page. */
export type Change<T> = (thing: T) => T | null;

interface Thing {
  id: string;
}

interface Patch {
  how: (thing: never) => Thing | null;
  acknowledged: number;
}

const most = 500; // things with patches: beyond it the one that was changed first goes
const patches = new Map<string, ReadonlyMap<string, Patch>>();
const listeners = new Set<() => void>();
let moment = 0; // counts the begins of reads, and acknowledgements
const read = new WeakMap<object, number>(); // when the read of a copy began
const drawn = new WeakMap<object, { of: unknown; at: number; now: object | null }>();
const merged = new WeakSet(); // copies that have their patches

const hear = () => listeners.forEach((listener) => listener());

/** Calls a function when patches come or go. Returns what ends that. */
export function onPatches(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Notes what the API has taken of a thing, at the moment at which it says so. What was noted under
 * the same name before is replaced.
 */
export function patch<T extends Thing>(id: string, name: string, how: Change<T>): void {
  const all = new Map(patches.get(id));
  all.delete(name);
  all.set(name, { how, acknowledged: ++moment });
  patches.delete(id);
  patches.set(id, all);
  for (const first of patches.keys()) {
    if (patches.size <= most) break;
    patches.delete(first);
  }
  hear();
}

/** Returns a thing as it is now, and the same object for the same patches. */
export function shadowed<T extends Thing>(thing: T): T | null {
  const all = patches.get(thing.id);
  if (!all || merged.has(thing)) return thing;
  const at = read.get(thing) ?? 0;
  const before = drawn.get(thing);
  if (before?.of === all && before.at === at) return before.now as T | null;
  let now: T | null = thing;
  for (const { how, acknowledged } of all.values())
    if (now && at < acknowledged) now = (how as unknown as Change<T>)(now);
  if (now && now !== thing) merged.add(now);
  drawn.set(thing, { of: all, at, now });
  return now;
}

/**
 * Returns a thing as it is now, and draws again when that changes. Of what was not read there is
 * nothing.
 */
export function useShadow<T extends Thing>(thing: T): T | null;
export function useShadow<T extends Thing>(thing: T | undefined): T | null | undefined;
export function useShadow<T extends Thing>(thing: T | undefined): T | null | undefined {
  return useSyncExternalStore(onPatches, () => thing && shadowed(thing));
}

/** Says that a copy was made of another, and is as old. */
export function copied<T extends object>(from: object, to: T): T {
  const at = read.get(from);
  if (at !== undefined) read.set(to, at);
  if (merged.has(from)) merged.add(to);
  return to;
}

/** Returns the moment of now, for a read that brings more than its own query holds. */
export const began = () => ++moment;

/**
 * Puts into a query what a read of something else brought that began at a moment, unless what is
 * there was read later.
 */
export function bring<T extends object>(
  queries: QueryClient,
  name: QueryKey,
  what: T,
  at: number,
): void {
  const there = queries.getQueryData<T>(name);
  if (there && (read.get(there) ?? 0) > at) return;
  queries.setQueryData<T>(name, what);
  const now = queries.getQueryData<T>(name); // equal parts of what was there stay the same objects
  if (now) read.set(now, at);
  each(now, (thing) => read.set(thing, at));
  hear();
}

/** Notes from now on when each read begins, and what it brought. Returns what ends that. */
export function watchReads(cache: QueryCache): () => void {
  const begun = new Map<string, { at: number; more: string | undefined }>();
  return cache.subscribe((event) => {
    const { queryHash: hash, state } = event.query;
    if (event.type === "removed") begun.delete(hash);
    if (event.type !== "updated") return;
    const { action } = event;
    if (action.type === "fetch")
      begun.set(hash, { at: ++moment, more: action.meta?.fetchMore?.direction });
    if (action.type !== "success" || action.manual) return;
    const one = begun.get(hash);
    begun.delete(hash);
    if (!one) return;
    // Of a list that goes on, the other pages were read before.
    const pages = (state.data as { pages?: unknown[] } | undefined)?.pages;
    const fresh: unknown =
      one.more && pages ? pages.at(one.more === "forward" ? -1 : 0) : state.data;
    if (typeof fresh === "object" && fresh !== null) read.set(fresh, one.at);
    if (patches.size === 0) return;
    let any = false;
    each(fresh, (thing) => {
      any = true;
      read.set(thing, one.at);
    });
    if (any) prune(cache, begun);
    hear();
  });
}

// each calls back with every thing in a value that has patches.
function each(value: unknown, met: (thing: Thing) => void): void {
  if (typeof value !== "object" || value === null) return;
  if ("id" in value && patches.has(value.id as string)) met(value as Thing);
  for (const item of Object.values(value)) each(item, met);
}

// prune drops the patches that every copy is newer than, and every read that is under way.
function prune(cache: QueryCache, begun: ReadonlyMap<string, { at: number }>): void {
  const oldest = new Map<string, number>();
  let coming = Infinity;
  for (const query of cache.getAll()) {
    if (query.state.fetchStatus !== "idle")
      coming = Math.min(coming, begun.get(query.queryHash)?.at ?? Infinity);
    each(query.state.data, (thing) =>
      oldest.set(thing.id, Math.min(read.get(thing) ?? 0, oldest.get(thing.id) ?? Infinity)),
    );
  }
  for (const [id, at] of oldest) {
    const before = patches.get(id)!;
    const all = [...before].filter(([, one]) => Math.min(at, coming) < one.acknowledged);
    if (all.length === 0) patches.delete(id);
    else if (all.length < before.size) patches.set(id, new Map(all));
  }
}

/** Returns what was read, with all things in it as they are now. */
export const withPatches = (data: unknown): unknown =>
  patches.size === 0
    ? data
    : walk(data, (value) => "id" in value && patches.has(value.id as string), shadowed);

/** Forgets all patches, as of a reader who leaves. */
export function forgetPatches(): void {
  patches.clear();
  hear();
}

/**
 * Returns a value with some things in it changed, and itself where nothing is. Null takes a thing
 * out.
 */
export function walk(
  value: unknown,
  is: (value: object) => boolean,
  how: (thing: never) => object | null,
  gone: "gone" | "unknown" = "gone",
): unknown {
  if (Array.isArray(value)) {
    let changed = false;
    const items = value.flatMap((item: unknown) => {
      const after = walk(item, is, how, gone);
      changed ||= after !== item;
      return after === null && item !== null ? [] : [after];
    });
    return changed ? items : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (is(value)) return how(value as never);
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const after = walk(item, is, how, gone);
    if (after === item) continue;
    copy ??= { ...value };
    if (after === null) {
      // A node of a thread keeps its place.
      if ("status" in copy) copy["status"] = gone;
      delete copy[key];
    } else copy[key] = after;
  }
  return copy ?? value;
}
