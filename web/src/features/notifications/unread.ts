import { useEffect, useSyncExternalStore } from "react";
import { followUnread } from "../../lib/live";
import { cut, queries } from "../../lib/api";
import { useMe } from "../../lib/session";

let count = 0;
const listeners = new Set<() => void>();

/** Returns the number of unread notifications, as it changes. */
export function useUnread(): number {
  return useSyncExternalStore(
    (hear) => (listeners.add(hear), () => listeners.delete(hear)),
    () => count,
  );
}

/** The question what waits in conversations: unread messages, and requests. Messenger.tsx asks. */
export const talksKey = ["conversations", "unread"] as const;
const hearAnswers = (hear: () => void) => queries.getQueryCache().subscribe(hear);

/** Returns what was last answered to it; undefined before the first answer. */
export const useTalks = () =>
  useSyncExternalStore(hearAnswers, () =>
    queries.getQueryData<{ count: number; requests: number }>(talksKey),
  );

/** Listens to what is unread, while somebody is signed in. */
export function useListening(): void {
  const uid = useMe()?.id;
  useEffect(() => {
    if (!uid) return;
    const tell = (now: number) => {
      if (now !== count) {
        cut(["notifications"], 0);
        void queries.invalidateQueries({ queryKey: ["notifications"] });
      }
      count = now;
      listeners.forEach((listener) => listener());
    };
    const stop = followUnread(uid, tell);
    return () => {
      stop();
      tell(0);
    };
  }, [uid]);
}
