import { useDeferredValue, useMemo } from "react";
import { loadedBy, useWithoutForeign } from "../foreign";
import { render } from "../markdown";

/**
 * The text as it will look, with the sides that Prose gives lists and quotations. Nothing in it
 * leads anywhere.
 */
export default function Preview({ content }: { content: string }) {
  const later = useDeferredValue(content);
  const html = useWithoutForeign(useMemo(() => render(later), [later]));
  return (
    <div
      className="prose"
      dangerouslySetInnerHTML={{ __html: html.replace(/<([uo]l|blockquote)\b/g, '$& dir="auto"') }}
      onClick={(event) => loadedBy(event) || event.preventDefault()}
    />
  );
}
