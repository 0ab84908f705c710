import { useSyncExternalStore } from "react";

let wanted = false;
const hearers = new Set<() => void>();

/** Notes that the API asks for a confirmed address, or does no more. */
export function unverified(is: boolean): void {
  if (is === wanted) return;
  wanted = is;
  for (const hear of hearers) hear();
}

const subscribe = (hear: () => void) => (hearers.add(hear), () => void hearers.delete(hear));

/**
 * Returns whether the API refused something because the address of the account is not confirmed.
 */
export const useUnverified = () => useSyncExternalStore(subscribe, () => wanted);
