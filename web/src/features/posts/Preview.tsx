import { useDeferredValue, useMemo } from "react";
import { render } from "../../lib/markdown";
import { Html } from "../../ui/Html";

/** The text as it will look. Nothing in it leads anywhere. */
export default function Preview({ content }: { content: string }) {
  const later = useDeferredValue(content);
  const html = useMemo(() => render(later), [later]);
  return <Html html={html} onClick={(event) => event.preventDefault()} />;
}
