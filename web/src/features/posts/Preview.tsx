import { useMemo } from "react";
import { useLater } from "../../lib/later";
import { render } from "../../lib/markdown";
import { Html } from "../../ui/Html";

/** The text as it will look. Nothing in it leads anywhere. */
export default function Preview({ content }: { content: string }) {
  const later = useLater(content);
  const html = useMemo(() => render(later), [later]);
  return <Html html={html} onClick={(event) => event.preventDefault()} />;
}
