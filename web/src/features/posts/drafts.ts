import { useEffect, useState } from "react";
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

/** Keeps a draft in this browser under a name: whose it is, and what it answers. */
export function useDraft(
  name: string,
  begin: () => Draft,
): [Draft, (change: Partial<Draft>) => void, () => void] {
  const place = `hibana.draft.${name}`;
  const [draft, set] = useState<Draft>(() => {
    try {
      const kept = localStorage.getItem(place);
      return kept ? { ...begin(), ...read(JSON.parse(kept) as Kept) } : begin();
    } catch {
      return begin();
    }
  });
  useEffect(() => {
    try {
      if (draft.content.trim() || draft.summary.trim() || draft.media?.length)
        localStorage.setItem(place, JSON.stringify(draft));
      else localStorage.removeItem(place);
    } catch {
      // storage is full or closed: the draft is in the page only
    }
  }, [place, draft]);
  // A text that changes is another tweet: it gets another key.
  const edit = (change: Partial<Draft>) =>
    set((d) => ({ ...d, ...change, key: crypto.randomUUID() }));
  const drop = () => {
    localStorage.removeItem(place);
    set(blank());
  };
  return [draft, edit, drop];
}
