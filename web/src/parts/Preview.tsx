import { useDeferredValue, useMemo } from "react";
import { render } from "../markdown";

/**
 * The text as it will look, with the sides that Prose gives lists and quotations. Nothing in it
 * leads anywhere.
 */
export default function Preview({ content }: { content: string }) {
  const later = useDeferredValue(content);
  const html = useMemo(
    () => render(later).replace(/<([uo]l|blockquote)\b/g, '$& dir="auto"'),
    [later],
  );
  return (
    <div
      className="prose"
      dangerouslySetInnerHTML={{ __html: html }}
      onClick={(event) => event.preventDefault()}
    />
  );
}
