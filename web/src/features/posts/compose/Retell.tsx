import type { Tweet } from "../../../lib/api";
import { Alt } from "../../media/Attach";
import type { Draft } from "../drafts";

/** The pictures of a tweet that is edited: their descriptions can change, and nothing else. */
export function Retell({
  tweet: { media = [] },
  media: changed = [],
  onChange,
}: {
  tweet: Tweet;
  media: Draft["media"];
  onChange: (media: NonNullable<Draft["media"]>) => void;
}) {
  const alts = media.map(({ id, alt, type }) => ({
    id,
    alt: changed.find((one) => one.id === id)?.alt ?? alt,
    video: type === "video",
  }));
  if (media.length === 0) return null;
  return (
    <ul className="attached">
      {media.map((one, n) => (
        <li key={one.id}>
          <div className="thumb">
            {one.type === "video" ? (
              <video src={one.urls.original} muted playsInline preload="metadata" />
            ) : (
              <img src={one.urls.small} alt="" />
            )}
          </div>
          <Alt
            value={alts[n]!.alt}
            onChange={(alt) => onChange(alts.map((all, m) => (m === n ? { ...all, alt } : all)))}
          />
        </li>
      ))}
    </ul>
  );
}
