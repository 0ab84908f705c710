import { useLocation } from "wouter";
import { Html } from "./Html";

/**
 * Text that the API rendered as safe HTML: its addresses of people and tags are pages of this
 * client. Only what came from the API with format=html belongs here.
 */
export function Prose({ html, large }: { html: string; large?: boolean }) {
  const [, go] = useLocation();
  return (
    <Html
      html={html}
      large={large}
      onClick={(event) => {
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
