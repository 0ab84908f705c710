import i18next from "i18next";
import type { Tweet } from "./api";

/** A picture or a video of a tweet. */
export type Media = NonNullable<Tweet["media"]>[number];

const tallest = 0.8; // width to height of a single picture, which is cut beyond it
const widest = 2.2;
const highest = 34; // rem

/**
 * The box of a tweet's pictures. It is as large before they are there, so that nothing moves when
 * they come.
 */
export function box(media: Media[]): React.CSSProperties {
  const [one] = media;
  if (!one || media.length > 1) return { aspectRatio: "3 / 2" };
  const ratio = Math.min(widest, Math.max(tallest, one.width / one.height || 1));
  return { aspectRatio: ratio, maxWidth: `${highest * ratio}rem` };
}

/** Says in words what a tweet has: its pictures, or its video. */
export const named = (media: Media[]) =>
  media[0]?.type === "video"
    ? i18next.t("media:groupVideo")
    : i18next.t("media:group", { count: media.length });
