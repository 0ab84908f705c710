import { body, hibana } from "../../lib/api";
import { begin, send, within } from "./transfer";

const patience = 10_000; // milliseconds for a browser to show a moment of a video
const most = 1280; // pixels of the longer side
const nothing = () => undefined;

/**
 * Sends a picture of a video to the API: what it shows at its beginning. Returns the id of the
 * picture. Without one the video is sent without: not every browser plays each video.
 */
export async function sendPoster(file: File, signal: AbortSignal): Promise<string | undefined> {
  try {
    const picture = await still(file, signal);
    if (!picture) return undefined;
    const { id, upload } = await within(signal, (signal) =>
      body(
        hibana.POST("/v1/media", {
          body: { kind: "tweet", contentType: picture.type, bytes: picture.size },
          signal,
        }),
      ),
    );
    await send(await begin(upload, signal), picture, 0, signal, nothing, nothing);
    return id;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** A moment of a video, after its first frame, which is often black. */
async function still(file: File, signal: AbortSignal): Promise<Blob | null> {
  const video = document.createElement("video");
  const stop = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const come = (event: string) =>
    new Promise<void>((resolve, reject) => {
      video.addEventListener(event, () => resolve(), { once: true });
      video.addEventListener("error", () => reject(new Error("no video")), { once: true });
      stop.addEventListener("abort", () => reject(stop.reason as Error), { once: true });
    });
  try {
    video.muted = true;
    video.preload = "auto";
    const there = come("loadeddata");
    video.src = URL.createObjectURL(file);
    await there;
    const sought = come("seeked");
    video.currentTime = Math.min(1, video.duration / 2 || 0);
    await sought;
    const { videoWidth: width, videoHeight: height } = video;
    const scale = Math.min(1, most / Math.max(width, height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d")!.drawImage(video, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  } finally {
    URL.revokeObjectURL(video.src);
    video.removeAttribute("src");
    video.load();
  }
}
