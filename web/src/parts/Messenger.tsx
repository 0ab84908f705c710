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

// Milliseconds between two questions: while somebody uses the page, and after nobody has for the longer time.
const often = 60_000;
const seldom = 300_000;
let used = Date.now();
const kinds = ["pointermove", "keydown", "scroll"] as const;
const idle = () => Date.now() - used > seldom;

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
    refetchInterval: () => (idle() ? seldom : often),
    queryFn: () => raw.count(),
  });
  useEffect(() => (uid ? onReturn(() => void refetch()) : undefined), [uid, refetch]);
  useEffect(() => {
    const hear = () => {
      const was = idle();
      used = Date.now();
      if (uid && was) void refetch();
    };
    for (const kind of kinds) addEventListener(kind, hear, { passive: true });
    return () => kinds.forEach((kind) => removeEventListener(kind, hear));
  }, [uid, refetch]);
  const { count, requests } = data ?? {};
  useEffect(() => {
    if (count !== undefined) void queries.invalidateQueries({ queryKey: listKey(false) });
  }, [count]);
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
