import { useSyncExternalStore } from "react";

let waiting: { promise: Promise<boolean>; end: (agreed: boolean) => void } | undefined;
const hearers = new Set<() => void>();
const tell = () => hearers.forEach((hear) => hear());

/**
 * Asks the user to agree to the terms, in one window for all requests that wait. Returns whether
 * the user agreed.
 */
export function consent(): Promise<boolean> {
  if (!waiting) {
    let end: (agreed: boolean) => void = () => {};
    const promise = new Promise<boolean>((done) => (end = done));
    waiting = { promise, end };
    tell();
  }
  return waiting.promise;
}

/** Ends the question: what waits for it is sent again, or refused. */
export function answer(agreed: boolean): void {
  const before = waiting;
  waiting = undefined;
  before?.end(agreed);
  tell();
}

const subscribe = (hear: () => void) => (hearers.add(hear), () => void hearers.delete(hear));

/** Returns whether a request waits for the user's consent. */
export const useConsentWanted = () => useSyncExternalStore(subscribe, () => waiting !== undefined);
