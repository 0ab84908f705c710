import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queries } from "../api";
import { countKey, listKey } from "../messages";
import { raw } from "../messages.raw";
import { onReturn } from "../network";
import { begin } from "../outbox";
import { useMe } from "../session";

const often = 60_000; // milliseconds between two questions while somebody looks

/** Draws nothing. It counts unread conversations, and sends the messages that wait. */
export default function Messenger() {
  const uid = useMe()?.id;
  useEffect(() => (uid ? begin(uid) : undefined), [uid]);
  const { data, refetch } = useQuery({
    queryKey: countKey,
    enabled: uid !== undefined,
    meta: { keep: false },
    staleTime: 0,
    refetchInterval: often,
    queryFn: () => raw.count(),
  });
  useEffect(() => (uid ? onReturn(() => void refetch()) : undefined), [uid, refetch]);
  const { count, requests } = data ?? {};
  useEffect(() => {
    if (count !== undefined) void queries.invalidateQueries({ queryKey: listKey(false) });
  }, [count]);
  useEffect(() => {
    if (requests !== undefined) void queries.invalidateQueries({ queryKey: listKey(true) });
  }, [requests]);
  return null;
}
