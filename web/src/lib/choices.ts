import { tell, unsure } from "./failures";
import { patch, useShadow } from "./shadow";
import { useWishesOf, wish, type Sending } from "./wishes";
import { inAllTabs } from "./tabs";

// Settings are documents whose fields are chosen one by one: each is a subject of its own, so a
// refusal takes back one field, and an answer of before no other.

interface Document {
  id: string;
}

/** How the API is told of one field, and what is said when it has it. */
export interface Choosing<T> {
  send: (change: Partial<T>, sending: Sending) => Promise<unknown>;
  saved?: () => void;
}

const chosen = inAllTabs("choice", (of: { id: string; field: string; to: unknown }) =>
  patch<Document & Record<string, unknown>>(of.id, of.field, (copy) =>
    copy[of.field] === of.to ? copy : { ...copy, [of.field]: of.to },
  ),
);

/** Chooses a field of a document: at once on the page, and back if the API refuses. */
export function choose<T extends Document, K extends keyof T & string>(
  of: T,
  field: K,
  to: NonNullable<T[K]>,
  { send, saved }: Choosing<T>,
): Promise<boolean> {
  return wish(`${of.id} ${field}`, of[field], to as T[K], {
    unsure,
    failed: tell,
    send: (to, sending) => send({ [field]: to } as unknown as Partial<T>, sending),
    settle: (has) => {
      chosen({ id: of.id, field, to: has });
      saved?.();
    },
  });
}

/** Returns a document as the reader wants it, and draws again when that changes. */
export function useChosen<T extends Document>(read: T): T;
export function useChosen<T extends Document>(read: T | undefined): T | undefined;
export function useChosen<T extends Document>(read: T | undefined): T | undefined {
  const has = useShadow(read) ?? undefined;
  const wanted = useWishesOf<unknown>(`${read?.id} `);
  return has && wanted.length > 0 ? { ...has, ...Object.fromEntries(wanted) } : has;
}
