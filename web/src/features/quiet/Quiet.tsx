import { useEffect } from "react";
import { useFilters } from "./filters";
import { useMe } from "../../lib/session";
import { begin } from "./sieve";

/** Draws nothing, and has the reader's filters act on what the page reads. */
export default function Quiet() {
  const uid = useMe()?.id;
  const { data } = useFilters();
  useEffect(() => begin(uid, data ?? []), [uid, data]);
  return null;
}
