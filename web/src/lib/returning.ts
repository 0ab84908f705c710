// Whoever has to sign in comes back to the page that was open. The tab keeps its path: an address
// with a path in it could send people elsewhere, and one with a session's end could tell lies.
export const place = "hibana.return";
const recent = 60 * 60_000; // milliseconds

interface Note {
  path: string;
  /** Whose page it was; absent for a visitor's. */
  uid?: string;
  at: number;
}

/** Returns a path of this client, and undefined for whatever leads elsewhere or to the door. */
export function inside(path: unknown): string | undefined {
  if (typeof path !== "string" || !path.startsWith("/")) return undefined;
  let url: URL;
  try {
    url = new URL(path, location.origin);
  } catch {
    return undefined;
  }
  const is = url.pathname + url.search + url.hash;
  // "/.//x" is a path here, and what it becomes is an address of x.
  return url.origin === location.origin && !/^\/([/\\]|sign-(in|up)(\/|\?|#|$))/.test(is)
    ? is
    : undefined;
}

/** Notes the page that is open. */
export function noteReturn(uid?: string): void {
  const path = inside(location.pathname + location.search);
  if (path === undefined) return;
  try {
    sessionStorage.setItem(place, JSON.stringify({ path, uid, at: Date.now() } satisfies Note));
  } catch {
    // no storage: home comes
  }
}

function read(): Partial<Note> {
  try {
    const note = JSON.parse(sessionStorage.getItem(place) ?? "{}") as Partial<Note>;
    return note.at && Date.now() - note.at < recent ? note : {};
  } catch {
    return {};
  }
}

/** Returns whose session ended in this tab, while nobody has signed in again. */
export const sessionEnded = () => read().uid;

/** Returns the path for whoever signed in: a page of one account is none for another. */
export function takeReturn(uid: string | undefined): string | undefined {
  const { path, uid: of } = read();
  try {
    sessionStorage.removeItem(place);
  } catch {
    // as above
  }
  return of === undefined || of === uid ? inside(path) : undefined;
}
