import { useEffect, useState } from "react";
import { useOverlay } from "../../lib/overlays";
import { useMe } from "../../lib/session";
import { locals, type Local } from "./drafts";

const changed = "hibana-locals";

/** The drafts that this browser alone keeps, whenever they change. */
export function useLocals(): Local[] {
  const me = useMe();
  const [, again] = useState(0);
  useOverlay(); // a window that closes may have changed them
  useEffect(() => {
    const hear = () => again((n) => n + 1);
    for (const event of ["storage", changed]) addEventListener(event, hear);
    return () => {
      for (const event of ["storage", changed]) removeEventListener(event, hear);
    };
  }, []);
  return me ? locals(me.id) : [];
}

/** Removes a draft from this browser. Returns what brings it back. */
export function remove({ place }: Local): () => void {
  const text = localStorage.getItem(place);
  localStorage.removeItem(place);
  dispatchEvent(new Event(changed));
  return () => {
    if (text) localStorage.setItem(place, text);
    dispatchEvent(new Event(changed));
  };
}
