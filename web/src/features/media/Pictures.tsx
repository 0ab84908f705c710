import "../../i18n/media";
import "../../styles/media.css";
import { Play } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { decode } from "./blurhash";
import { fresh, sizes, widths } from "./addresses";
import type { Media, Pictured } from "../../lib/api";
import { box, named, useDescribed } from "./media";
import { show } from "../../lib/overlays";

interface Props {
  tweet: Pictured;
  media: Media[];
  /** In a link, as a quoted tweet is: nothing of it can be pressed. */
  still?: boolean;
}

/** The pictures of a tweet, four at most, or its video. A picture opens above the page. */
export default function Pictures({ tweet, media, still = false }: Props) {
  const { t } = useTranslation("media");
  const [told, tell] = useState<number>();
  const badges = useRef<(HTMLButtonElement | null)[]>([]);
  const id = useId();
  const of = media.length;
  const described = useDescribed(tweet, told !== undefined);
  const one = told === undefined ? undefined : described.media[told];
  const close = () => {
    tell(undefined);
    if (told !== undefined) badges.current[told]?.focus();
  };
  return (
    <span className={`pictures n${of}`} style={box(media)} role="group" aria-label={named(media)}>
      {media.map((picture, n) => (
        <span className="picture" key={picture.id}>
          {picture.type === "video" ? (
            <Video tweet={tweet} video={picture} still={still} />
          ) : (
            <Picture
              tweet={tweet}
              picture={picture}
              alt={picture.alt || t("untold", { at: n + 1, of })}
              of={of}
              {...(still ? {} : { open: () => show({ kind: "pictures", tweet, at: n }) })}
            />
          )}
          {picture.alt && !still && (
            <button
              className="altbadge"
              ref={(badge) => void (badges.current[n] = badge)}
              aria-expanded={told === n}
              aria-controls={id}
              aria-label={
                picture.type === "video" ? t("altOfVideo") : t("altOf", { at: n + 1, of })
              }
              onClick={() => tell(told === n ? undefined : n)}
            >
              {t("alt")}
            </button>
          )}
        </span>
      ))}
      {!still && (
        <span
          id={id}
          className={one ? "alttext" : "hidden"}
          onKeyDown={(event) => event.key === "Escape" && close()}
        >
          {one && (
            <>
              <span className="plain" tabIndex={0}>
                {one.alt}
              </span>
              <button className="button small" onClick={close}>
                {t("hideAlt")}
              </button>
            </>
          )}
        </span>
      )}
    </span>
  );
}

/** What a picture looks like from afar, until it is there. */
export function Blur({ of }: { of: Media }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pixels = decode(of.blurhash ?? "", 20, 20);
    if (pixels) canvas.current?.getContext("2d")?.putImageData(new ImageData(pixels, 20, 20), 0, 0);
  }, [of.blurhash]);
  return <canvas ref={canvas} width={20} height={20} aria-hidden="true" />;
}

// Reads a tweet again when an address of it is broken, since signed addresses end. It does so once
// for each address.
function useMending(tweet: Pictured, address: string) {
  const [broken, setBroken] = useState("");
  return {
    broken: broken === address,
    failed: () => void fresh(tweet, address).then((better) => better || setBroken(address)),
    again: () => setBroken(""),
  };
}

function Picture({
  tweet,
  picture,
  alt,
  of,
  open,
}: {
  tweet: Pictured;
  picture: Media;
  alt: string;
  of: number;
  open?: () => void;
}) {
  const { t } = useTranslation("media");
  const [there, setThere] = useState("");
  const { small = "", large = "" } = picture.urls;
  const { broken, failed, again } = useMending(tweet, large);
  if (broken && open)
    return (
      <span className="lost">
        <span>{picture.alt || t("broken")}</span>
        <button className="button small" onClick={again}>
          {t("again")}
        </button>
      </span>
    );
  const image = (
    <img
      src={small}
      srcSet={widths(picture)}
      sizes={sizes(of)}
      alt={alt}
      width={picture.width}
      height={picture.height}
      loading="lazy"
      decoding="async"
      draggable={false}
      onLoad={() => setThere(large)}
      onError={failed}
    />
  );
  return (
    <>
      {there !== large && <Blur of={picture} />}
      {picture.animated && <span className="moves">GIF</span>}
      {open ? (
        <a
          href={large}
          aria-haspopup="dialog"
          onClick={(event) => {
            // Another tab or window shows the file itself.
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            open();
          }}
        >
          {image}
        </a>
      ) : (
        image
      )}
    </>
  );
}

function Video({ tweet, video, still }: { tweet: Pictured; video: Media; still: boolean }) {
  const { t } = useTranslation("media");
  const address = video.urls.original ?? "";
  const { broken, failed, again } = useMending(tweet, address);
  const poster = video.urls.large;
  if (still)
    return (
      <>
        {poster && <img src={poster} alt="" loading="lazy" decoding="async" onError={failed} />}
        <Play className="play" aria-hidden="true" />
        <span className="hidden">{video.alt || t("video")}</span>
      </>
    );
  if (broken)
    return (
      <span className="lost">
        <span>{t("brokenVideo")}</span>
        <button className="button small" onClick={again}>
          {t("again")}
        </button>
      </span>
    );
  return (
    // Without a poster the video shows its first picture, for which its beginning is loaded.
    <video
      src={poster ? address : `${address}#t=0.1`}
      preload={poster ? "none" : "metadata"}
      poster={poster}
      controls
      playsInline
      aria-label={video.alt || t("video")}
      onError={failed}
    />
  );
}
