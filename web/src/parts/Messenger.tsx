import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { queries } from "../api";
import { listKey, talksKey } from "../messages";
import { raw } from "../messages.raw";
import { onReturn } from "../network";
import { begin } from "../outbox";
import { show, useOverlay } from "../overlays";
import { useMe } from "../session";

const NewMessage = lazy(() => import("./NewMessage"));

const often = 60_000; // milliseconds between two questions while somebody looks

/**
 * Counts unread conversations and sends the messages that wait, which draws nothing; and draws the
 * window in which a conversation begins.
 */
export default function Messenger() {
  const uid = useMe()?.id;
  useEffect(() => (uid ? begin(uid) : undefined), [uid]);
  const { data, refetch } = useQuery({
    queryKey: talksKey,
    enabled: uid !== undefined,
    meta: { keep: false },
    staleTime: 0,
    refetchInterval: often,
    queryFn: () => raw.count(),
  });
  useEffect(() => (uid ? onReturn(() => void refetch()) : undefined), [uid, refetch]);
  const { count, requests, changedAt } = data ?? {};
  useEffect(() => {
    if (count !== undefined) void queries.invalidateQueries({ queryKey: listKey(false) });
  }, [count, changedAt]); // an unread conversation may get one more message
  useEffect(() => {
    if (requests !== undefined) void queries.invalidateQueries({ queryKey: listKey(true) });
  }, [requests]);
  const overlay = useOverlay();
  return overlay?.kind === "message" ? (
    <Suspense>
      <NewMessage to={overlay.to} onClose={() => show(undefined)} />
    </Suspense>
  ) : null;
}
