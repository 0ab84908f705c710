import "../../i18n/media";
import "../../styles/media.css";
import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../lib/speech";
import type { Pictured } from "../../lib/api";
import { useBack } from "../../lib/back";
import { useDescribed } from "./media";

const swipe = 50; // pixels that a finger goes at least

/** The pictures of a tweet above the page, one at a time, as large as the window. */
export default function Lightbox({
  tweet,
  at: first,
  onClose,
}: {
  tweet: Pictured;
  at: number;
  onClose: () => void;
}) {
  const { t } = useTranslation(["translation", "media"]);
  useBack(onClose);
  const { media, again } = useDescribed(tweet, true);
  const pictures = media.filter((one) => one.type !== "video");
  const [at, setAt] = useState(first);
  const [whole, setWhole] = useState(true);
  const [broken, setBroken] = useState("");
  const opener = useRef(document.activeElement);
  const stage = useRef<HTMLDivElement>(null);
  const begun = useRef<{ x: number; y: number } | undefined>(undefined);
  const of = pictures.length;
  const picture = pictures[Math.min(at, of - 1)];
  const turn = (to: number) => {
    if (to < 0 || to >= of || to === at) return;
    setAt(to);
    setWhole(true);
  };
  // The next picture is there when somebody turns to it.
  useEffect(() => {
    const next = pictures[at + 1]?.urls.large;
    if (next) new Image().src = next;
  });
  useEffect(() => {
    if (!picture) onClose();
  }, [picture, onClose]);
  if (!picture) return null;
  const leftwards = () => getComputedStyle(stage.current!).direction === "rtl";
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="veil dark" />
        <Radix.Content
          className="lightbox"
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          onKeyDown={(event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            // A picture in full size is scrolled by the arrow keys.
            if (!whole && event.key.startsWith("Arrow")) return;
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (step) turn(at + (leftwards() ? -step : step));
            else if (event.key === "Home") turn(0);
            else if (event.key === "End") turn(of - 1);
            else return;
            event.preventDefault();
          }}
        >
          <div className="head">
            <Radix.Title className="hidden">
              {t("media:light.title", { name: tweet.author.nickname })}
            </Radix.Title>
            <p role="status">{t("media:light.at", { at: at + 1, of })}</p>
            <button
              className="icon"
              aria-label={t(whole ? "media:light.larger" : "media:light.smaller")}
              onClick={() => setWhole(!whole)}
            >
              {whole ? <ZoomIn aria-hidden="true" /> : <ZoomOut aria-hidden="true" />}
            </button>
            <Radix.Close className="icon" aria-label={t("state.close")}>
              <X aria-hidden="true" />
            </Radix.Close>
          </div>
          <div
            className={whole ? "stage" : "stage full"}
            ref={stage}
            tabIndex={whole ? undefined : 0}
            onClick={(event) => event.target === event.currentTarget && onClose()}
            onPointerDown={(event) =>
              (begun.current =
                event.pointerType === "touch" && event.isPrimary
                  ? { x: event.clientX, y: event.clientY }
                  : undefined)
            }
            onPointerUp={(event) => {
              const from = begun.current;
              begun.current = undefined;
              if (!from || !whole) return;
              const [x, y] = [event.clientX - from.x, event.clientY - from.y];
              if (Math.abs(x) < swipe || Math.abs(x) < Math.abs(y)) return;
              turn(at + (x < 0 !== leftwards() ? 1 : -1));
            }}
          >
            <img
              key={picture.id}
              // What moves stands still in lists, and moves here.
              src={picture.urls.original ?? picture.urls.large}
              width={picture.width}
              height={picture.height}
              alt={picture.alt || t("media:light.noAlt")}
              draggable={false}
              onClick={() => setWhole(!whole)}
              onError={() => {
                const { large = "" } = picture.urls;
                if (broken === large) return;
                setBroken(large);
                void again();
              }}
            />
          </div>
          {at > 0 && (
            <button
              className="icon turn previous"
              aria-label={t("media:light.previous")}
              onClick={() => turn(at - 1)}
            >
              <ChevronLeft aria-hidden="true" />
            </button>
          )}
          {at < of - 1 && (
            <button
              className="icon turn next"
              aria-label={t("media:light.next")}
              onClick={() => turn(at + 1)}
            >
              <ChevronRight aria-hidden="true" />
            </button>
          )}
          <p className="caption plain" tabIndex={0}>
            {picture.alt || t("media:light.noAlt")}
          </p>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
