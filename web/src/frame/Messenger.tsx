import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef } from "react";
import { amend, queries } from "../lib/api";
import { raw } from "../features/messages/requests";
import { onReturn } from "../lib/network";
import { begin } from "../features/messages/outbox";
import { show, useOverlay } from "../lib/overlays";
import { useMe } from "../lib/session";
import { messageKeys } from "../features/messages/keys";
import { inAllTabs } from "../lib/tabs";

const NewMessage = lazy(() => import("../features/messages/NewMessage"));

// Milliseconds between two questions: while somebody uses the page, and after nobody has for the longer time.
const often = 120_000;
const seldom = 300_000;
let used = Date.now();
const kinds = ["pointermove", "keydown", "scroll"] as const;
const idle = () => Date.now() - used > seldom;
const most = 5; // questions for news until the API counts anew

const again = () =>
  void queries.invalidateQueries({ queryKey: messageKeys.talks }, { cancelRefetch: false });

/** news is when the API last said that there may be a new message. */
type Talks = { count: number; requests: number; at: string; asked: number; news: number };

// What one tab counted holds in the others, and not where the answer to the same question comes.
const counted = inAllTabs("talks", (now: Pick<Talks, "count" | "requests">) => {
  if (queries.isFetching({ queryKey: messageKeys.talks }) === 0)
    amend<Talks>(messageKeys.talks, (before) => ({ ...before, ...now }));
});

/**
 * Counts unread conversations. Without a new message since the last count that count holds, unless
 * the reader did something here: that makes it invalid. What happened on another device comes with
 * the next count.
 */
async function ask(): Promise<Talks> {
  const is = queries.getQueryState<Talks>(messageKeys.talks);
  const before = is?.isInvalidated ? undefined : is?.data;
  const { count, requests, at, unchanged } = await raw.count(
    before && before.asked < most ? before.at : undefined,
  );
  if (!unchanged) counted({ count, requests });
  return before && unchanged
    ? { ...before, at, asked: before.asked + 1 }
    : { count, requests, at, asked: 0, news: Date.now() };
}

/**
 * Counts unread conversations and sends the messages that wait, which draws nothing; and draws the
 * window in which a conversation begins.
 */
export default function Messenger() {
  const uid = useMe()?.id;
  useEffect(() => (uid ? begin(uid) : undefined), [uid]);
  const { data, refetch } = useQuery({
    queryKey: messageKeys.talks,
    enabled: uid !== undefined,
    meta: { keep: false },
    staleTime: 0,
    refetchInterval: () => (idle() ? seldom : often),
    queryFn: ask,
  });
  // A return has two events, and one question.
  useEffect(() => (uid ? onReturn(again) : undefined), [uid]);
  useEffect(() => {
    const hear = () => {
      const was = idle();
      used = Date.now();
      if (uid && was) void refetch();
    };
    for (const kind of kinds) addEventListener(kind, hear, { passive: true });
    return () => kinds.forEach((kind) => removeEventListener(kind, hear));
  }, [uid, refetch]);
  const { news, requests } = data ?? {};
  const counted = useRef<number>(undefined);
  useEffect(() => {
    // Also an unread conversation may have one more message, which changes no count.
    if (counted.current) void queries.invalidateQueries({ queryKey: messageKeys.list(false) });
    counted.current = news;
  }, [news]);
  useEffect(() => {
    if (requests !== undefined)
      void queries.invalidateQueries({ queryKey: messageKeys.list(true) });
  }, [requests]);
  const overlay = useOverlay();
  return overlay?.kind === "message" ? (
    <Suspense>
      <NewMessage to={overlay.to} onClose={() => show(undefined)} />
    </Suspense>
  ) : null;
}
