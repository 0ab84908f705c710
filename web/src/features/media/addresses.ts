import type { Media, Pictured, Tweet } from "../../lib/api";
import { patch } from "../../lib/shadow";
import { readTweet } from "../posts/tweets";

const small = 400; // the longer side of the small size, in pixels, at most

/** How wide each size of a picture is, as srcset has it. width and height are those of the large. */
export function widths({ urls, width, height }: Pick<Media, "urls" | "width" | "height">): string {
  const narrow = Math.round(width * Math.min(1, small / Math.max(width, height)));
  return `${urls.small} ${Math.max(1, narrow)}w, ${urls.large} ${width}w`;
}

/** How wide a picture of so many is shown. */
export const sizes = (of: number) =>
  of === 1 ? "(max-width: 36rem) 80vw, 34rem" : "(max-width: 36rem) 40vw, 17rem";

const asked = new Set<string>();
const reading = new Map<string, Promise<Media[]>>();

/**
 * Reads a tweet again, one of whose addresses is broken: signed addresses end. Returns whether it
 * has another instead. An address is asked about once.
 */
export async function fresh(tweet: Pictured, address: string): Promise<boolean> {
  if (asked.has(address)) return false;
  asked.add(address);
  let answer = reading.get(tweet.id);
  if (!answer) {
    answer =
      tweet.reread?.() ??
      readTweet(tweet.id).then(({ media = [] }) => {
        patch<Tweet>(tweet.id, "media", (t) => ({ ...t, media }));
        return media;
      });
    reading.set(tweet.id, answer);
    const done = () => void reading.delete(tweet.id);
    answer.then(done, done);
  }
  try {
    return (await answer).every(({ urls }) => !Object.values(urls).includes(address));
  } catch {
    return false;
  }
}
