import { useCallback, useRef, type MouseEvent } from "react";
import { useTranslation } from "../lib/speech";
import { loadedBy, parse, useAsked } from "../lib/foreign";

/**
 * Safe HTML: from the API with format=html, or from the text that is being written. Lists and
 * quotations have the side of their own first letter; paragraphs have it by the style. Pictures of
 * other hosts load by a click.
 */
export function Html({
  html,
  large,
  onClick,
}: {
  html: string;
  large?: boolean | undefined;
  onClick: (event: MouseEvent) => void;
}) {
  const { t, i18n } = useTranslation();
  const asked = useAsked();
  // t is a new one whenever sentences come late; the text is drawn anew only for another language.
  const label = useRef(t);
  label.current = t;
  // No effect: Preact runs effects after the ref of a list's row, which measures the row.
  const fill = useCallback(
    (box: HTMLDivElement | null) =>
      box?.replaceChildren(
        ...parse(html, {
          load: (host) => label.current("picture.load", { host }),
          broken: label.current("picture.broken"),
          table: label.current("picture.table"),
        }),
      ),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- asked and the language change what parse makes
    [html, asked, i18n.language],
  );
  return (
    <div
      ref={fill}
      className={large ? "prose large" : "prose"}
      onClick={(event) => (loadedBy(event) ? event.stopPropagation() : onClick(event))}
    />
  );
}
