import { useQuery } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import type { Media, Pictured } from "../../lib/api";
import { shadowed } from "../../lib/shadow";
import { readTweet } from "../posts/tweets";
import { postKeys } from "../posts/keys";

const tallest = 0.8; // width to height of a single picture, which is cut beyond it
const widest = 2.2;
const highest = 34; // rem

export const digits =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

export const number = (text: string) =>
  [...text].reduce((sum, digit) => sum * 83 + digits.indexOf(digit), 0);

/** The average of a picture, as styles write colors. Styles ignore that of a text that is no blurhash. */
export const average = (hash = "") =>
  hash ? `#${number(hash.slice(2, 6)).toString(16).padStart(6, "0")}` : undefined;

/**
 * The box of a tweet's pictures. It is as large before they are there, so that nothing moves when
 * they come, and has about their color.
 */
export function box(media: Media[]): React.CSSProperties {
  const [one] = media;
  const background = average(one?.blurhash);
  if (!one || media.length > 1) return { aspectRatio: "3 / 2", background };
  const ratio = Math.min(widest, Math.max(tallest, one.width / one.height || 1));
  return { aspectRatio: ratio, maxWidth: `${highest * ratio}rem`, background };
}

/**
 * The media of a tweet, and once somebody reads their descriptions, all of these. A list has the
 * beginning of a long one. The tweet by itself, which its page has read already, has the rest.
 */
export function useDescribed(tweet: Pictured, read: boolean) {
  const { media = [] } = tweet;
  const whole = useQuery({
    queryKey: postKeys.tweet(tweet.id),
    queryFn: () => readTweet(tweet.id),
    enabled: read && !tweet.reread && media.some(({ altCut }) => altCut),
    staleTime: 5 * 60_000,
  });
  const all: Media[] = (read && whole.data && shadowed(whole.data)?.media) || media;
  return { media: all, again: tweet.reread ?? whole.refetch };
}

/** Says in words what a tweet has: its pictures, or its video. */
export const named = (media: Media[]) =>
  media[0]?.type === "video"
    ? speech.t("media:groupVideo")
    : speech.t("media:group", { count: media.length });
