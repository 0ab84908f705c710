import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { useTranslation } from "../lib/speech";
import { useBack } from "../lib/back";

// Escape closes what a field offers before it closes the window.
const offers = (at: EventTarget | null) =>
  at instanceof Element && at.hasAttribute("aria-activedescendant");

/** A window above the page. It holds the focus; Escape and the back button close it. */
export function Dialog({
  title,
  children,
  onClose,
  plain,
}: {
  title: string;
  children: ReactNode;
  onClose: () => void;
  plain?: boolean;
}) {
  const { t } = useTranslation();
  useBack(onClose);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="veil" />
        <Radix.Content
          className="dialog"
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => offers(event.target) && event.preventDefault()}
        >
          <div className="head">
            <Radix.Title asChild>
              <h2>{title}</h2>
            </Radix.Title>
            <Radix.Close className="icon" aria-label={t("state.close")}>
              <X size={20} aria-hidden="true" />
            </Radix.Close>
          </div>
          {plain ? children : <div className="inside">{children}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
