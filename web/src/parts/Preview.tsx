import { useDeferredValue, useMemo } from "react";
import { render } from "../markdown";

/** The text as it will look. Nothing in it leads anywhere. */
export default function Preview({ content }: { content: string }) {
  const later = useDeferredValue(content);
  const html = useMemo(() => render(later), [later]);
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} onClick={(event) => event.preventDefault()} />;
}
