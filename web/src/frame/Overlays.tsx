import "../i18n/later";
import { lazy, Suspense, useEffect } from "react";
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

/** What stands above the page. */
export default function Overlays() {
  useListening();
  // Whoever presses a key to write does not wait for the window.
  useEffect(() => void drawn.then(compose).catch(() => undefined), []);
  const overlay = useOverlay();
  const consent = useConsentWanted();
  const close = () => show(undefined);
  return (
    <>
      <Suspense>
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
          position="bottom-center"
          toastOptions={{
            style: {
              background: "var(--ink)",
              color: "var(--paper)",
              border: 0,
              borderRadius: "var(--radius)",
            },
          }}
          mobileOffset={{ bottom: "5rem" }}
        />
      </Suspense>
    </>
  );
}
