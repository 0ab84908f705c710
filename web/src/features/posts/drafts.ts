import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { KeptMedia } from "../media/uploads";

/** Who may reply to a tweet, or quote it. */
export const policies = ["everybody", "followers", "following", "mentioned", "nobody"] as const;
export type Policy = (typeof policies)[number];

/** What somebody is writing. It survives a reload, and is sent once however often it is sent. */
export interface Draft {
  content: string;
  summary: string;
  visibility: "public" | "unlisted" | "followers" | "mentioned";
  replyPolicy: Policy;
  allowLikes: boolean;
  quotePolicy: Policy;
  /** The options of a poll, and how many minutes it lasts. */
  poll?: { options: string[]; minutes: number } | undefined;
  /** BCP 47 tag of the text's language; empty if nobody said it. */
  language?: string;
  /** Recipients that an app named, the long form of the audience. They stay until another is chosen. */
  to?: string[] | undefined;
  cc?: string[] | undefined;
  /** Whether the audience is the one that the API takes by itself: nobody chose one. */
  byDefault?: boolean;
  /** Its pictures, as far as their bytes are in the API. */
  media?: KeptMedia[];
  /**
   * The Idempotency-Key: the same for the same draft, also after a reload in the middle of sending.
   */
  key: string;
}

export const blank = (): Draft => ({
  content: "",
  summary: "",
  visibility: "public",
  replyPolicy: "everybody",
  allowLikes: true,
  quotePolicy: "everybody",
  key: crypto.randomUUID(),
});

type Kept = Draft & { allowReplies?: boolean; allowQuotes?: boolean };

// A draft from before there were policies may be closed.
const read = ({ allowReplies, allowQuotes, ...draft }: Kept): Partial<Draft> => ({
  ...(allowReplies === false && { replyPolicy: "nobody" }),
  ...(allowQuotes === false && { quotePolicy: "nobody" }),
  ...draft,
});

const prefix = "hibana.draft.";
const worth = (draft: Partial<Draft>) =>
  Boolean(draft.content?.trim() || draft.summary?.trim() || draft.media?.length);

// The place in which this tab keeps a draft. sessionStorage is of one tab, and outlives a reload.
const placeOf = (name: string) => {
  try {
    return sessionStorage.getItem(prefix + name) ?? prefix + name;
  } catch {
    return prefix + name;
  }
};

function stored(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

function parsed(text: string | null): Partial<Draft> | undefined {
  try {
    return text ? read(JSON.parse(text) as Kept) : undefined;
  } catch {
    return undefined;
  }
}

/** The text that this tab keeps under a name, or an empty one. */
export const keptText = (name: string): string => parsed(stored(placeOf(name)))?.content ?? "";

/**
 * Keeps a draft in this browser under a name: whose it is, and what it answers. A tab that finds
 * another's text in its place takes a place of its own, so that neither text is lost. Calls onGone
 * when another tab has posted the draft or removed it. Returns the draft, what changes it, and what
 * drops it: at once from the page, and from this browser when the promise that it was given holds,
 * so that a page that ends before has it still.
 */
export function useDraft(
  name: string,
  begin: () => Draft,
  onGone?: () => void,
): [Draft, (change: Partial<Draft>) => void, (sent?: Promise<unknown>) => void] {
  const place = useRef("");
  const last = useRef<string | null>(null); // what this tab read or wrote in its place
  const touched = useRef(false);
  const [draft, set] = useState<Draft>(() => {
    place.current = placeOf(name);
    last.current = stored(place.current);
    return { ...begin(), ...parsed(last.current) };
  });
  useEffect(() => {
    const text = worth(draft) ? JSON.stringify(draft) : null;
    if (!touched.current || text === last.current) return;
    try {
      if (localStorage.getItem(place.current) !== last.current) {
        place.current = `${prefix}${name}~${crypto.randomUUID()}`;
        sessionStorage.setItem(prefix + name, place.current);
      }
      if (text) localStorage.setItem(place.current, text);
      else localStorage.removeItem(place.current);
      last.current = text;
    } catch {
      // storage is full or closed: the draft is in the page only
    }
  }, [name, draft]);
  const gone = useEffectEvent(() => {
    touched.current = false;
    last.current = null;
    set(begin());
    onGone?.();
  });
  useEffect(() => {
    const hear = ({ key, newValue, oldValue }: StorageEvent) => {
      if (key === place.current && newValue === null && oldValue === last.current) gone();
    };
    addEventListener("storage", hear);
    return () => removeEventListener("storage", hear);
  }, []);
  // A text that changes is another tweet: it gets another key.
  const edit = (change: Partial<Draft>) => {
    touched.current = true;
    set((d) => ({ ...d, ...change, key: crypto.randomUUID() }));
  };
  const drop = (sent?: Promise<unknown>) => {
    const [dropped, text] = [place.current, last.current];
    const forget = () => {
      if (text !== null && stored(dropped) === text) localStorage.removeItem(dropped);
    };
    if (sent) sent.then(forget, () => undefined);
    else forget();
    sessionStorage.removeItem(prefix + name);
    touched.current = false;
    last.current = null;
    place.current = prefix + name;
    set(blank());
  };
  return [draft, edit, drop];
}

/** A draft that this browser alone keeps. */
export interface Local {
  place: string;
  about: "new" | "reply" | "quote" | "edit";
  /** Of the tweet that it is about; absent for a new one. */
  id?: string;
  draft: Partial<Draft>;
}

const form = /^(new|reply|quote|edit)(?:\.([0-9a-f]{18}))?(?:\.\d+)?(?:~|$)/;

/** Returns what somebody began to write in this browser and has not posted, without messages. */
export function locals(uid: string): Local[] {
  const begin = `${prefix}${uid}.`;
  return Object.keys(localStorage)
    .filter((place) => place.startsWith(begin))
    .sort()
    .flatMap((place) => {
      const [, about, id] = form.exec(place.slice(begin.length)) ?? [];
      const draft = parsed(stored(place));
      return about && draft && worth(draft)
        ? [{ place, about: about as Local["about"], id, draft }]
        : [];
    });
}

/** Makes this tab go on with a draft that this browser keeps. */
export function take({ place }: Local): void {
  sessionStorage.setItem(place.replace(/~.*$/, ""), place);
}
