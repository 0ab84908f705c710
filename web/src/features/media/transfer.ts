// How the bytes of a file go to the storage: in an upload session, which goes on where it stopped.
// docs of Cloud Storage call it a resumable upload.

/** Where and how a session begins, as the API says it. */
export interface Start {
  url: string;
  method: string;
  headers: Record<string, string>;
}

const chunk = 4 * 256 * 1024; // bytes: all but the last have a multiple of 256 KiB
const silence = 60_000; // milliseconds without a byte, after which a request is lost

/** An answer of the storage that is no success. */
export class Refused extends Error {
  constructor(readonly status: number) {
    super(`the storage answers ${status}`);
  }
}

/**
 * Whether a failure is one of the network, or of a server that has a bad moment: 308 is that of a
 * storage that took nothing.
 */
export const passing = (failure: unknown) =>
  failure instanceof TypeError ||
  (failure instanceof Refused &&
    (failure.status >= 500 || [308, 408, 429].includes(failure.status)));

/** Asks something that fails as the network does if it is not answered in time. */
export async function within<T>(
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ends = new AbortController();
  const stop = () => ends.abort(signal.reason);
  const due = setTimeout(() => ends.abort(new TypeError("the network is silent")), silence);
  signal.addEventListener("abort", stop);
  try {
    return await ask(ends.signal);
  } finally {
    clearTimeout(due);
    signal.removeEventListener("abort", stop);
  }
}

interface Answer {
  status: number;
  header: (name: string) => string | null;
}

// Requests of fetch tell nothing of what was sent so far.
function request(
  method: string,
  url: string,
  headers: Record<string, string>,
  body: Blob | null,
  signal: AbortSignal,
  onSent?: (bytes: number) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const asked = new XMLHttpRequest();
    const abort = () => asked.abort();
    // A slow network may take longer for a chunk. A silent one may take forever.
    let due: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(due);
      due = setTimeout(() => {
        reject(new TypeError("the network is silent"));
        asked.abort();
      }, silence);
    };
    signal.addEventListener("abort", abort);
    asked.open(method, url);
    for (const [name, value] of Object.entries(headers)) asked.setRequestHeader(name, value);
    asked.onload = () =>
      resolve({ status: asked.status, header: (name) => asked.getResponseHeader(name) });
    asked.onerror = () => reject(new TypeError("the network failed"));
    asked.onabort = () => reject(signal.reason as Error);
    asked.onloadend = () => {
      clearTimeout(due);
      signal.removeEventListener("abort", abort);
    };
    if (onSent) asked.upload.onprogress = (event) => (wait(), onSent(event.loaded));
    wait();
    asked.send(body);
  });
}

/** Begins a session, and returns its address. */
export async function begin({ url, method, headers }: Start, signal: AbortSignal): Promise<string> {
  const { status, header } = await request(method, url, headers, null, signal);
  const session = header("Location");
  if (status >= 300 || !session) throw new Refused(status);
  return session;
}

/** Returns how many bytes of a file have arrived. */
export async function arrived(session: string, size: number, signal: AbortSignal): Promise<number> {
  return after(
    await request("PUT", session, { "Content-Range": `bytes */${size}` }, null, signal),
    size,
  );
}

/**
 * Sends the bytes of a file that have not arrived yet. onSent hears how many have, some of which may
 * be lost when the network fails; onArrived hears how many have for certain. A storage that takes
 * nothing of a chunk is Refused with 308.
 */
export async function send(
  session: string,
  file: Blob,
  from: number,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
  onArrived: (bytes: number) => void,
): Promise<void> {
  for (let at = from; at < file.size;) {
    const end = Math.min(at + chunk, file.size);
    const begun = at;
    at = after(
      await request(
        "PUT",
        session,
        { "Content-Range": `bytes ${at}-${end - 1}/${file.size}` },
        file.slice(at, end),
        signal,
        (bytes) => onSent(begun + Math.min(bytes, end - begun)),
      ),
      file.size,
    );
    if (at <= begun) throw new Refused(308);
    onSent(at);
    onArrived(at);
  }
}

// after returns how many bytes an answer says have arrived.
function after({ status, header }: Answer, size: number): number {
  if (status === 200 || status === 201) return size;
  if (status !== 308) throw new Refused(status);
  const range = /^bytes=0-(\d+)$/.exec(header("Range") ?? "");
  return range ? Number(range[1]) + 1 : 0;
}
