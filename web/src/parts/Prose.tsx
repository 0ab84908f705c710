import { useLocation } from "wouter";
import { loadedBy, useWithoutForeign } from "../foreign";

/**
 * Text that the API rendered as safe HTML: its addresses of people and tags are pages of this
 * client. Lists and quotations have the side of their own first letter; paragraphs have it by the
 * style. Pictures of other hosts load by a click. Only what came from the API with format=html
 * belongs here.
 */
export function Prose({ html, large }: { html: string; large?: boolean }) {
  const [, go] = useLocation();
  const safe = useWithoutForeign(html);
  return (
    <div
      className={large ? "prose large" : "prose"}
      dangerouslySetInnerHTML={{ __html: safe.replace(/<([uo]l|blockquote)\b/g, '$& dir="auto"') }}
      onClick={(event) => {
        if (loadedBy(event)) return event.stopPropagation();
        const link = (event.target as HTMLElement).closest("a");
        if (!link) return;
        event.stopPropagation();
        const url = new URL(link.href, location.href);
        if (url.origin === location.origin && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
          event.preventDefault();
          go(url.pathname + url.search);
        } else if (url.origin !== location.origin) {
          event.preventDefault();
          open(url, "_blank", "noopener,noreferrer");
        }
      }}
    />
  );
}
