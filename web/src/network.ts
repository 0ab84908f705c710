import { useSyncExternalStore } from "react";

// Browsers know whether there is a network, and not whether it leads anywhere: the last request tells.
let reaches = true;
const listeners = new Set<() => void>();

function subscribe(hear: () => void): () => void {
  listeners.add(hear);
  addEventListener("online", hear);
  addEventListener("offline", hear);
  return () => {
    listeners.delete(hear);
    removeEventListener("online", hear);
    removeEventListener("offline", hear);
  };
}

/** Notes whether a request reached the API. */
export function reached(yes: boolean): void {
  if (reaches === yes) return;
  reaches = yes;
  listeners.forEach((listener) => listener());
}

// A network that is there again may lead to the API again.
addEventListener("online", () => reached(true));

/** Tells whether the API can be reached, as far as is known. */
export const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine && reaches);
