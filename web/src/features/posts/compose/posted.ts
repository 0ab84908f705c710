import { toast } from "../../../lib/toast";

const shown = 6_000; // milliseconds

/** Says that a tweet was posted, on this page alone: on another page the words stand over its text. */
export function posted(text: string, action: { label: string; onClick: () => void }): void {
  const { pathname } = location;
  toast.success(text, { id: "posted", duration: shown, action });
  const ends = new AbortController();
  const look = () => {
    if (location.pathname === pathname) return;
    ends.abort();
    import("sonner").then(
      ({ toast }) => toast.dismiss("posted"),
      () => undefined,
    );
  };
  for (const event of ["pushState", "replaceState", "popstate"])
    addEventListener(event, look, { signal: ends.signal });
  setTimeout(() => ends.abort(), shown);
}
