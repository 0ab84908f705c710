import { body, hibana } from "../../lib/api";
import { announcements } from "../instance/announced";
import type { Page } from "../posts/tweets";

// How long the first tweets wait for what stands above them, in milliseconds.
const patience = 300;
const pause = () => new Promise((done) => setTimeout(done, patience));

/** Loads what stands above the home timeline. */
export const top = () => import("./HomeTop");

let want: () => void;
/** Is there when the first tweets are asked for. */
export const wanted = new Promise<void>((now) => (want = now));

// An announcement, or the way to where the reader was, that came after the tweets would move them.
async function above(): Promise<void> {
  want();
  const marker = top().then(({ readMarker }) => readMarker());
  await Promise.all([announcements(), marker]).catch(() => undefined);
}

/** Reads a page of the home timeline. The first one comes with what stands above it. */
export async function page(pageToken: string | undefined): Promise<Page> {
  const read = body(
    hibana.GET("/v1/timeline", { params: { query: { pageToken, format: "html" } } }),
  );
  if (!pageToken) await Promise.race([above(), read.then(pause)]);
  return read;
}
