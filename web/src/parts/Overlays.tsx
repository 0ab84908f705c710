import "../i18n/later";
import { lazy, Suspense, useEffect } from "react";
import { drawn, late } from "../drawn";
import { useConsentWanted } from "../consent";
import { show, useOverlay } from "../overlays";
import { useListening } from "../unread";

const Consent = lazy(() => import("./Consent"));
const AddToList = lazy(() => import("./AddToList"));
const compose = () => import("./Compose");
const Compose = lazy(compose);
const Toaster = late(() => import("sonner").then(({ Toaster }) => ({ default: Toaster })));
const History = lazy(() => import("./History"));
const Keys = lazy(() => import("./Keys"));
const Lightbox = lazy(() => import("./Lightbox"));
const Hush = lazy(() => import("./Hush"));
const Messenger = late(() => import("./Messenger"));
const Quiet = late(() => import("./Quiet"));
const Reacted = lazy(() => import("./Reacted"));
const Report = lazy(() => import("./Report"));

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
