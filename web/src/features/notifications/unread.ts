import { useEffect, useSyncExternalStore } from "react";
import { followUnread } from "../../lib/live";
import { cut, hibana, queries } from "../../lib/api";
import { useLooks } from "../../lib/network";
import { useMe } from "../../lib/session";
import { wish } from "../../lib/wishes";
import { noticeKeys } from "./keys";
import { messageKeys } from "../messages/keys";

let count = 0;
const listeners = new Set<() => void>();

/** Returns the number of unread notifications, as it changes. */
export function useUnread(): number {
  return useSyncExternalStore(
    (hear) => (listeners.add(hear), () => listeners.delete(hear)),
    () => count,
  );
}

const hearAnswers = (hear: () => void) => queries.getQueryCache().subscribe(hear);

/**
 * Returns what waits in conversations, as Messenger.tsx asked last; undefined before the first
 * answer.
 */
export const useTalks = () =>
  useSyncExternalStore(hearAnswers, () =>
    queries.getQueryData<{ count: number; requests: number }>(messageKeys.talks),
  );

/** Listens to what is unread, while somebody is signed in. */
export function useListening(): void {
  const uid = useMe()?.id;
  useEffect(() => {
    if (!uid) return;
    const tell = (now: number) => {
      if (now !== count) {
        cut(noticeKeys.all, 0);
        void queries.invalidateQueries({ queryKey: noticeKeys.all });
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

// A request marks the newest notifications and those of some days: so many requests mark all.
const most = 20;

/**
 * Marks notifications as read once the list of them, as read at a time of this browser, is on a
 * page that somebody looks at. 0 is a list that is not there yet.
 *
 * Cost: 1 read and 1 write, most often, for each time that there is something new.
 */
export function useSeen(listed: number): void {
  const unread = useUnread();
  const looks = useLooks();
  useEffect(() => {
    if (unread === 0 || listed === 0 || !looks) return;
    void wish("notifications read", 0, listed, {
      unsure: () => true,
      failed: () => undefined, // they stay unread until the next look
      send: async (_, sending) => {
        for (let n = 0; n < most; n++) {
          const { response } = await hibana.PUT("/v1/notifications/read", { ...sending });
          if (response.headers.get("Hibana-More") !== "true") return;
        }
      },
    });
  }, [unread, listed, looks]);
}
