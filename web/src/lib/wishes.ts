import { useMemo, useSyncExternalStore } from "react";

// What the reader wants of a subject, such as that a tweet be liked, until the API has it. It
// stands apart from what was read: a page that is read meanwhile is shown with it, and a refusal
// takes back this wish alone.

interface Wish {
  on: boolean;
  /**
   * What the API has, as far as is known; undefined after a failure that may have happened all the
   * same.
   */
  has: boolean | undefined;
  done: Promise<boolean>;
}

const wishes = new Map<string, Wish>();
const listeners = new Set<() => void>();

const hear = () => listeners.forEach((listener) => listener());

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What is to be done for a wish. */
export interface Doing {
  /** Asks the API. */
  send: (on: boolean) => Promise<unknown>;
  /**
   * Puts into what was read what the API has now. Called before the wish ends, if the API took a
   * request.
   */
  settle?: (on: boolean) => void;
  /** Tells whether a refusal leaves open what the API has. */
  unsure: (failure: unknown) => boolean;
  failed: (failure: unknown) => void;
}

/**
 * Wishes that a subject be on, or off. The last wish wins, and a subject has one request at a time:
 * what is wished during a request is sent after it, unless the API has it then. Resolves to whether
 * the API has the last wish.
 */
export function wish(subject: string, was: boolean, on: boolean, doing: Doing): Promise<boolean> {
  const there = wishes.get(subject);
  if (there) {
    wishes.set(subject, Object.assign(there, { on }));
    hear();
    return there.done;
  }
  const mine: Wish = { on, has: was, done: Promise.resolve(true) };
  wishes.set(subject, mine);
  mine.done = fulfil(subject, mine, doing);
  hear();
  return mine.done;
}

async function fulfil(
  subject: string,
  mine: Wish,
  { send, settle, unsure, failed }: Doing,
): Promise<boolean> {
  let failure: unknown;
  let [sent, refused] = [false, false];
  while (mine.on !== mine.has) {
    const asked = mine.on;
    try {
      await send(asked);
      [mine.has, sent] = [asked, true];
    } catch (reason) {
      if (unsure(reason)) mine.has = undefined;
      failure = reason;
      if (mine.on === asked) {
        refused = true;
        break;
      }
    }
  }
  if (sent && mine.has !== undefined) settle?.(mine.has);
  wishes.delete(subject);
  hear();
  if (refused) failed(failure);
  return !refused;
}

/** Returns what is wished of a subject, undefined if nothing is. */
export const wished = (subject: string): boolean | undefined => wishes.get(subject)?.on;

/**
 * Returns what is wished of some subjects, and draws again when that changes. The array is another
 * only then.
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
