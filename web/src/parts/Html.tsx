import { useLayoutEffect, useRef, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { loadedBy, parse, useAsked } from "../foreign";

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
  const { t } = useTranslation();
  const asked = useAsked();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => box.current!.replaceChildren(...parse(html, (host) => t("picture.load", { host }))),
    [html, asked, t],
  );
  return (
    <div
      ref={box}
      className={large ? "prose large" : "prose"}
      onClick={(event) => (loadedBy(event) ? event.stopPropagation() : onClick(event))}
    />
  );
}
