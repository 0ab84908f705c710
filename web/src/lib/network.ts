import { useSyncExternalStore } from "react";

// Browsers know whether there is a network, and not whether it leads anywhere: the last request
// tells.
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

const online = () => navigator.onLine && reaches;

/** Tells whether the API can be reached, as far as is known. */
export const useOnline = () => useSyncExternalStore(subscribe, online);

const onLook = (hear: () => void) => (
  document.addEventListener("visibilitychange", hear),
  () => document.removeEventListener("visibilitychange", hear)
);

/** Tells whether somebody looks at this window, as far as a browser knows. */
export const useLooks = () =>
  useSyncExternalStore(onLook, () => document.visibilityState === "visible");

/**
 * Calls back when somebody looks at the page again, or the API can be reached again. Returns what
 * ends that.
 */
export function onReturn(back: () => void): () => void {
  let was = online();
  const hear = () => {
    const is = online();
    if (is && !was) back();
    was = is;
  };
  const look = () => document.visibilityState === "visible" && back();
  const stop = subscribe(hear);
  addEventListener("focus", look);
  document.addEventListener("visibilitychange", look);
  return () => {
    stop();
    removeEventListener("focus", look);
    document.removeEventListener("visibilitychange", look);
  };
}
