/**
 * Uploads of pictures and videos: the file goes to Cloud Storage itself, in chunks, and goes on
 * where it was after a broken connection.
 *
 *     const media = await upload(hibana, file, { alt: "A cat", progress: (sent) => bar(sent / file.size) });
 *     await hibana.POST("/v1/tweets", { body: { content: "My cat", media: [media.id] } });
 */
import { body, HibanaError, type Hibana, type Schemas } from "./index.js";

export type Media = Schemas["Media"];

export interface UploadOptions {
  /** What the file is for, a post if absent. */
  kind?: "tweet" | "avatar" | "header";
  /** What the picture shows, in words. */
  alt?: string;
  /** A picture that shows a video until it plays. */
  poster?: Blob;
  /** Learns how many bytes have arrived. */
  progress?: (sent: number) => void;
  /** Ends the upload. The promise then rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** Bytes of a chunk, a multiple of 256 KiB; 2 MiB if absent. */
  chunk?: number;
  /** How often sending fails at most without progress before the upload fails, 6 if absent. */
  attempts?: number;
  /** The longest pause in milliseconds before a chunk is sent again, 10,000 if absent. */
  patience?: number;
  /** How many milliseconds the file may take to be looked at, 300,000 if absent. */
  timeout?: number;
  /** What sends requests to the storage, the fetch of the platform if absent. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * The upload could not be finished: the storage answered with this status, or 0 for none. 308 is
 * that of a storage that takes nothing more.
 */
export class UploadError extends Error {
  override readonly name = "UploadError";

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const step = 256 * 1024;

/**
 * Uploads a file and waits until it can be posted. A file that is not taken is a HibanaError, with
 * the code of the reason. An upload that ends early, by the signal or an UploadError, is deleted
 * after a day.
 */
export async function upload(
  hibana: Hibana,
  file: Blob,
  options: UploadOptions = {},
): Promise<Media> {
  const { kind = "tweet", alt, poster } = options;
  const about = {
    kind,
    alt,
    ...(poster ? { poster: await picture(hibana, poster, options) } : {}),
  };
  const id = await deliver(hibana, file, about, options);
  return await ready(hibana, id, options);
}

/** Uploads the poster of a video, and returns its id. The API waits for it. */
function picture(hibana: Hibana, file: Blob, options: UploadOptions): Promise<string> {
  const silent: UploadOptions = { ...options };
  delete silent.progress;
  return deliver(hibana, file, { kind: "tweet" }, silent);
}

/** Announces a file and sends it. Returns its id. */
async function deliver(
  hibana: Hibana,
  file: Blob,
  about: Pick<Schemas["NewMedia"], "kind" | "poster"> & { alt?: string | undefined },
  options: UploadOptions,
): Promise<string> {
  options.signal?.throwIfAborted();
  const made = await body(
    hibana.POST("/v1/media", {
      body: { ...about, contentType: file.type, bytes: file.size },
      signal: options.signal ?? null,
    }),
  );
  await send(await begin(made.upload, options), file, options);
  return made.id;
}

/**
 * Waits until an upload was looked at. A file that cannot be shown is a HibanaError with the code of
 * the reason, such as media_damaged. One that was not looked at in time is an UploadError; ready may
 * be called again.
 */
export async function ready(
  hibana: Hibana,
  id: string,
  {
    signal,
    patience = 10_000,
    timeout = 300_000,
  }: Pick<UploadOptions, "signal" | "patience" | "timeout"> = {},
): Promise<Media> {
  const last = Date.now() + timeout;
  for (;;) {
    const { data, response } = await hibana.GET("/v1/media/{id}", {
      params: { path: { id } },
      signal: signal ?? null,
    });
    const media = data as Media;
    if (media.state === "failed") {
      const code = media.failure ?? "media_failed";
      throw new HibanaError(400, code, `the file cannot be shown: ${code}`, undefined);
    }
    if (media.state === "ready") {
      return media;
    }
    const after = Number(response.headers.get("Retry-After")) || 1;
    const wait = Math.min(1000 * after, patience);
    if (Date.now() + wait > last) {
      throw new UploadError(0, "the file was not looked at in time");
    }
    await pause(wait, signal);
  }
}

/** Begins an upload session, and returns its address. */
async function begin(to: Schemas["Upload"], options: UploadOptions): Promise<string> {
  const response = await patiently(options, () =>
    request(options, to.url, { method: to.method, headers: to.headers }),
  );
  const session = response.headers.get("Location");
  if (response.status !== 201 || !session) {
    throw new UploadError(response.status, "the upload cannot begin");
  }
  return session;
}

/** Sends the file to a session, from where it was last. */
async function send(session: string, file: Blob, options: UploadOptions): Promise<void> {
  const chunk = Math.max(step, Math.floor((options.chunk ?? 8 * step) / step) * step);
  let sent = 0,
    most = 0,
    failures = 0;
  options.progress?.(0);
  while (sent < file.size) {
    const end = Math.min(sent + chunk, file.size);
    let response: Response | undefined;
    try {
      response = await request(options, session, {
        method: "PUT",
        headers: { "Content-Range": `bytes ${sent}-${end - 1}/${file.size}` },
        body: file.slice(sent, end),
      });
    } catch {
      options.signal?.throwIfAborted(); // otherwise the connection broke
    }
    const broken = !response || response.status >= 500 || response.status === 429;
    if (!response || broken) {
      if (++failures >= (options.attempts ?? 6)) {
        throw new UploadError(response?.status ?? 0, "the connection breaks again and again");
      }
      await backOff(failures, options);
      response = await patiently(options, () =>
        request(options, session, {
          method: "PUT",
          headers: { "Content-Range": `bytes */${file.size}` },
        }),
      );
    }
    if (response.ok) {
      sent = file.size;
    } else if (response.status === 308) {
      const arrived = /^bytes=0-(\d+)$/.exec(response.headers.get("Range") ?? "");
      const now = arrived ? Number(arrived[1]) + 1 : 0;
      if (now > most) {
        failures = 0;
        most = now;
      } else if (!broken) {
        if (++failures >= (options.attempts ?? 6)) {
          throw new UploadError(308, "the storage takes nothing more");
        }
        await backOff(failures, options);
      }
      sent = now;
    } else {
      throw new UploadError(response.status, "the storage refuses the file");
    }
    options.progress?.(sent);
  }
}

/** Sends a request until it is answered without a failure of the network or of the storage. */
async function patiently(options: UploadOptions, ask: () => Promise<Response>): Promise<Response> {
  for (let n = 1; ; n++) {
    let response: Response | undefined;
    try {
      response = await ask();
    } catch (failure) {
      options.signal?.throwIfAborted();
      if (n >= (options.attempts ?? 6)) {
        throw new UploadError(0, String(failure));
      }
    }
    if (
      response &&
      ((response.status < 500 && response.status !== 429) || n >= (options.attempts ?? 6))
    ) {
      return response;
    }
    await backOff(n, options);
  }
}

function request(options: UploadOptions, url: string, init: RequestInit): Promise<Response> {
  const sender = options.fetch ?? ((at: string, with_: RequestInit) => fetch(at, with_));
  return sender(url, { ...init, signal: options.signal ?? null });
}

/** Waits before attempt n + 1: half a second, doubled each time. */
function backOff(n: number, { signal, patience = 10_000 }: UploadOptions): Promise<void> {
  return pause(Math.min(500 * 2 ** (n - 1), patience), signal);
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
