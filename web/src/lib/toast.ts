import type { toast as sonner } from "sonner";
import { hurry } from "./drawn";

type Said = Parameters<typeof sonner>;

/** So long, in milliseconds, a message with Undo stays, and goes along to other pages. */
export const undoable = 10_000;

// A message that leaves takes along what is said under its name meanwhile: the names of another page
// are others.
let round = 0;

const say =
  (kind?: "success" | "error") =>
  (...[text, more]: Said) => {
    hurry();
    import("sonner").then(
      ({ toast }) => {
        const named = more?.id ? { ...more, id: `${more.id} ${round}` } : more;
        const id = kind ? toast[kind](text, named) : toast(text, named);
        if (more?.duration !== undoable)
          endWith(location.pathname, () => (round++, toast.dismiss(id)));
      },
      () => undefined,
    );
  };

const longest = 6_000; // milliseconds: until then a message has gone by itself

// endWith calls back when another page is opened: a message of this page stands over its text.
function endWith(path: string, end: () => void) {
  const ends = new AbortController();
  const look = () => {
    if (location.pathname === path) return;
    ends.abort();
    end();
  };
  for (const event of ["pushState", "popstate"])
    addEventListener(event, look, { signal: ends.signal });
  setTimeout(() => ends.abort(), longest);
}

/**
 * Short messages at the edge of the page. What draws them comes after the first page, or with the
 * first of them. They end with the page that was open when they came.
 */
export const toast = Object.assign(say(), {
  success: say("success"),
  error: say("error"),
  /** Takes a message away, by its id. */
  dismiss: (id: string) =>
    void import("sonner").then(
      ({ toast }) => toast.dismiss(id),
      () => undefined,
    ),
});
