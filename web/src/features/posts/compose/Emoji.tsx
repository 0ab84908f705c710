import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "../../../lib/speech";
import { Loading } from "../../../ui/states";

/** The emoji to choose from. Escape closes them. */
export function Emoji({
  onPick,
  onClose,
}: {
  onPick: (emoji: string) => void;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation("compose");
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  const pick = useEffectEvent((event: Event) => {
    const { unicode } = (event as CustomEvent<{ unicode?: string }>).detail;
    if (unicode) onPick(unicode);
  });
  const leave = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation(); // the form and the window stay
    onClose();
  });
  useEffect(() => {
    const ends = new AbortController();
    let made: HTMLElement | undefined;
    // Before the window, which listens on the document.
    addEventListener("keydown", (event) => leave(event), { capture: true, signal: ends.signal });
    import("./emoji").then(
      ({ picker }) => {
        if (ends.signal.aborted) return;
        made = picker(i18n.language);
        made.addEventListener("emoji-click", (event) => pick(event));
        place.current?.append(made);
        setState("ready");
        const field = () => made?.shadowRoot?.querySelector<HTMLInputElement>("input");
        requestAnimationFrame(() => field()?.focus());
      },
      () => setState("failed"),
    );
    return () => (ends.abort(), made?.remove());
  }, [i18n.language]);
  return (
    <div className="emoji" role="group" aria-label={t("emoji")}>
      {state === "loading" && <Loading rows={1} />}
      {state === "failed" && (
        <p className="notice" role="alert">
          {t("noEmoji")}
        </p>
      )}
      <div ref={place} />
    </div>
  );
}
