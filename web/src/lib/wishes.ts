import { useMemo, useSyncExternalStore } from "react";

// What the reader wants of a subject, such as that a tweet be liked or how many pieces of a product
// are in the cart, until the API has it. It stands apart from what was read: a page that is read
// meanwhile is shown with it, and a refusal takes back this wish alone.

const unknown = Symbol("unknown");

interface Wish {
  to: unknown;
  /** What the API has, as far as is known: unknown after a failure that may have happened. */
  has: unknown;
  doing: Doing<unknown, unknown>;
  done: Promise<boolean>;
  /** What the request under way asks for, and what ends it. */
  asked?: { to: unknown; stop: AbortController } | undefined;
  /** Of a reader who is here no more. */
  ended?: boolean;
}

/** For requests of wishes: they outlive a page that is left, and end with the session. */
export interface Sending {
  keepalive: true;
  signal: AbortSignal;
}

/** What is to be done for a wish. */
export interface Doing<V = boolean, Answer = unknown> {
  /** Asks the API. */
  send: (to: V, sending: Sending) => Promise<Answer>;
  /**
   * Puts beside what was read what the API has now, and the last answer. Called before the wish
   * ends, if the API took a request.
   */
  settle?: (has: V, answer: Answer) => void;
  /** Tells whether a refusal leaves open what the API has. */
  unsure: (failure: unknown) => boolean;
  failed: (failure: unknown) => void;
  /** Subjects with the same lane have one request at a time together. */
  lane?: string;
}

/** So many subjects may have a wish at a time. Beyond them a wish fails at once. */
export const mostWishes = 100;

const wishes = new Map<string, Wish>();
const lanes = new Map<string, (() => void)[]>();
const listeners = new Set<() => void>();

const hear = () => listeners.forEach((listener) => listener());

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const same = (a: unknown, b: unknown) =>
  a === b || (a !== unknown && b !== unknown && JSON.stringify(a) === JSON.stringify(b));

/**
 * Wishes that a subject be so: plain data. The last wish wins, and a subject has one request at a
 * time: what is wished during a request is sent after it, unless the API has it then. Resolves to
 * whether the API has the last wish.
 */
export function wish<V, Answer>(
  subject: string,
  was: V,
  to: V,
  doing: Doing<V, Answer>,
): Promise<boolean> {
  const there = wishes.get(subject);
  if (there) {
    Object.assign(there, { to, doing });
    hear();
    return there.done;
  }
  if (wishes.size >= mostWishes) {
    doing.failed(new Error(`more than ${mostWishes} requests wait`));
    return Promise.resolve(false);
  }
  const mine: Wish = { to, has: was, doing: doing as never, done: Promise.resolve(true) };
  wishes.set(subject, mine);
  mine.done = fulfil(subject, mine);
  hear();
  return mine.done;
}

async function fulfil(subject: string, mine: Wish): Promise<boolean> {
  let [failure, answer]: unknown[] = [];
  let [sent, refused] = [false, false];
  while (!same(mine.to, mine.has) && !mine.ended) {
    const { lane } = mine.doing;
    if (lane !== undefined) {
      const turn = enter(lane);
      if (turn) await turn;
      if (same(mine.to, mine.has) || mine.ended) {
        exit(lane);
        break;
      }
    }
    const asked = { to: mine.to, stop: new AbortController() };
    mine.asked = asked;
    try {
      const { signal } = asked.stop;
      answer = await mine.doing.send(asked.to, { keepalive: true, signal });
      [mine.has, sent] = [asked.to, true];
    } catch (reason) {
      if (asked.stop.signal.aborted || mine.doing.unsure(reason)) mine.has = unknown;
      failure = reason;
      if (same(mine.to, asked.to)) {
        refused = true;
        break;
      }
    } finally {
      mine.asked = undefined;
      if (lane !== undefined) exit(lane);
    }
  }
  if (mine.ended) return false;
  if (sent && mine.has !== unknown) mine.doing.settle?.(mine.has, answer);
  wishes.delete(subject);
  hear();
  if (refused) mine.doing.failed(failure);
  return !refused;
}

// enter waits for a turn, and returns nothing where it is there at once.
function enter(lane: string): Promise<void> | undefined {
  const waiting = lanes.get(lane);
  if (waiting) return new Promise((turn) => waiting.push(turn));
  lanes.set(lane, []);
  return undefined;
}

function exit(lane: string): void {
  const next = lanes.get(lane)?.shift();
  if (next) next();
  else lanes.delete(lane);
}

// Whoever leaves the page means what was clicked. A request outlives the page. One that asks for
// what is wished no more ends here, since it could arrive after the next: that, and what waits for
// its turn, is sent at once.
addEventListener("pagehide", () => {
  for (const { asked, to } of wishes.values()) if (asked && !same(asked.to, to)) asked.stop.abort();
  for (const waiting of lanes.values()) waiting.splice(0).forEach((turn) => turn());
});

/** Returns what is wished of a subject, undefined if nothing is. */
export const wished = <V = boolean>(subject: string): V | undefined =>
  wishes.get(subject)?.to as V | undefined;

/** Returns what is wished of a subject, and draws again when that changes. */
export const useWish = <V = boolean>(subject: string): V | undefined =>
  useSyncExternalStore(subscribe, () => wished<V>(subject));

/**
 * Returns what is wished of some subjects, each on or off, and draws again when that changes. The
 * array is another only then.
 */
export function useWishes(...subjects: string[]): (boolean | undefined)[] {
  const now = useSyncExternalStore(subscribe, () =>
    subjects.map((subject) => Number(wished(subject) ?? -1)).join(),
  );
  return useMemo(
    () => now.split(",").map((one) => (one === "-1" ? undefined : one === "1")),
    [now],
  );
}

/** Returns what is wished of all subjects that begin so, by the rest of their names. */
export const wishesOf = <V>(beginning: string): [string, V][] =>
  [...wishes]
    .filter(([subject]) => subject.startsWith(beginning))
    .map(([subject, { to }]) => [subject.slice(beginning.length), to as V]);

/** Returns the same, and draws again when that changes. The array is another only then. */
export function useWishesOf<V>(beginning: string): [string, V][] {
  const now = useSyncExternalStore(subscribe, () => JSON.stringify(wishesOf(beginning)));
  return useMemo(() => JSON.parse(now) as [string, V][], [now]);
}

/** Waits until no subject that begins so is wished anything of. */
export async function fulfilled(beginning = ""): Promise<void> {
  for (;;) {
    const open = [...wishes].filter(([subject]) => subject.startsWith(beginning));
    if (open.length === 0) return;
    await Promise.allSettled(open.map(([, { done }]) => done));
  }
}

/** Forgets all wishes of a reader who is here no more: nothing is sent for another. */
export function forgetWishes(): void {
  for (const one of wishes.values()) {
    one.ended = true;
    one.asked?.stop.abort();
  }
  wishes.clear();
  for (const waiting of lanes.values()) waiting.splice(0).forEach((turn) => turn());
  hear();
}
