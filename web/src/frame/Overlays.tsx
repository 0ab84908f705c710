import "../i18n/later";
import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { drawn, late } from "../lib/drawn";
import { useConsentWanted } from "../lib/consent";
import { show, useOverlay } from "../lib/overlays";
import { useListening } from "../features/notifications/unread";

const Consent = lazy(() => import("../features/instance/Consent"));
const AddToList = lazy(() => import("../features/lists/AddToList"));
const compose = () => import("../features/posts/Compose");
const Compose = lazy(compose);
const Toaster = late(() => import("sonner").then(({ Toaster }) => ({ default: Toaster })));
const History = lazy(() => import("../features/posts/History"));
const Keys = lazy(() => import("./Keys"));
const Lightbox = lazy(() => import("../features/media/Lightbox"));
const Hush = lazy(() => import("../features/quiet/Hush"));
const Messenger = late(() => import("./Messenger"));
const Quiet = late(() => import("../features/quiet/Quiet"));
const Reacted = lazy(() => import("../features/posts/Reacted"));
const Report = lazy(() => import("../features/moderation/Report"));

// On phones short messages lie over the bar, and else beside the column: over no tweet.
const phone = matchMedia("(max-width: 36rem)");
const watch = (changed: () => void) => (
  phone.addEventListener("change", changed),
  () => phone.removeEventListener("change", changed)
);
const useHandheld = () => useSyncExternalStore(watch, () => phone.matches);

/** What stands above the page. */
export default function Overlays() {
  useListening();
  // Whoever presses a key to write does not wait for the window.
  useEffect(() => void drawn.then(compose).catch(() => undefined), []);
  const overlay = useOverlay();
  const consent = useConsentWanted();
  const close = () => show(undefined);
  const handheld = useHandheld();
  return (
    <>
      <Suspense key={overlay?.kind}>
        {overlay?.kind === "compose" && <Compose {...overlay} onClose={close} />}
        {overlay?.kind === "keys" && <Keys onClose={close} />}
        {overlay?.kind === "history" && <History tweet={overlay.tweet} onClose={close} />}
        {overlay?.kind === "pictures" && <Lightbox {...overlay} onClose={close} />}
        {overlay?.kind === "people" && (
          <Reacted of={overlay.of} tweet={overlay.tweet} onClose={close} />
        )}
        {overlay?.kind === "hush" && <Hush {...overlay} onClose={close} />}
        {overlay?.kind === "report" && <Report {...overlay} onClose={close} />}
        {overlay?.kind === "lists" && <AddToList user={overlay.user} onClose={close} />}
      </Suspense>
      <Suspense>{consent && <Consent />}</Suspense>
      <Suspense>
        <Quiet />
        <Messenger />
      </Suspense>
      <Suspense>
        <Toaster
          position={handheld ? "top-center" : "bottom-right"}
          toastOptions={{
            style: {
              background: "var(--ink)",
              color: "var(--paper)",
              border: 0,
              borderRadius: "var(--radius)",
            },
          }}
          mobileOffset={{ top: "0.5rem" }}
        />
      </Suspense>
    </>
  );
}
