import { useSyncExternalStore } from "react";
import { body, hibana, HibanaError, type Code, type Schemas } from "../../lib/api";
import { sendPoster } from "./poster";
import { arrived, begin, passing, Refused, send, within } from "./transfer";

type Kind = "tweet" | "avatar" | "header" | "product";

/** What the API takes. It says no to the rest itself; whoever asks here first waits for nothing. */
export const limits = {
  pictures: 4,
  image: 10 << 20, // bytes
  video: 30 << 20,
  alt: 1500, // characters
  types: ["image/jpeg", "image/png", "image/webp", "image/gif", "video/mp4"],
};

/** A file of a tweet that somebody writes. */
export interface Attached {
  /** Names it in this page. */
  key: string;
  name: string;
  video: boolean;
  /** sending and waiting (for the network) until its bytes are there, then processing. */
  state: "sending" | "waiting" | "processing" | "ready" | "failed";
  /** The part of it that is sent, from 0 to 1. */
  sent: number;
  /** In the API, as soon as it knows of the file. */
  id?: string;
  /** The address of what to show: of the file itself, or of the API. */
  preview?: string;
  /** Its description: undefined until somebody typed one, or the API said it. */
  alt?: string | undefined;
  failure?: unknown;
}

/** What a draft keeps of a file whose bytes are there. */
export interface KeptMedia {
  id: string;
  /** Undefined for that of the API. */
  alt?: string | undefined;
  video: boolean;
}

// What one upload has while it runs.
interface Run {
  /** Absent for a file that an earlier page sent. */
  file?: File;
  /** Whether a tweet or a draft of the API may have it. */
  taken?: boolean;
  kind: Kind;
  start?: Schemas["Upload"];
  session?: string;
  /** Of a video: the id of its poster, or undefined if it has none. */
  poster?: string | undefined;
  /** Whether bytes may have arrived of which this page does not know. */
  unsure?: boolean;
  /** The most bytes that have arrived so far. */
  most?: number;
  stop: AbortController;
  /** The description that the API has. */
  alt: string;
}

const shelves = new Map<string, readonly Attached[]>();
const runs = new Map<string, Run>();
const listeners = new Set<() => void>();
const none: readonly Attached[] = [];

const listen = (hear: () => void) => (listeners.add(hear), () => void listeners.delete(hear));

/** The files of a draft. They go on while nobody looks. */
export const attached = (shelf: string) => shelves.get(shelf) ?? none;

/** The files of a draft, whenever they change. */
export const useAttached = (shelf: string) => useSyncExternalStore(listen, () => attached(shelf));

function put(shelf: string, all: readonly Attached[]): void {
  if (all.length > 0) shelves.set(shelf, all);
  else shelves.delete(shelf);
  listeners.forEach((hear) => hear());
}

function set(shelf: string, key: string, change: Partial<Attached>): void {
  put(
    shelf,
    attached(shelf).map((one) => (one.key === key ? { ...one, ...change } : one)),
  );
}

/** Why files are not taken. */
export type Refusal =
  | { why: "type" | "empty" | "large" | "largeVideo"; name: string; has: number; most: number }
  | { why: "many" };

/** Says what of some files is not taken, before anything is sent. */
export function sort(files: readonly File[], types = limits.types): [File[], Refusal[]] {
  const refused: Refusal[] = [];
  const taken = files.filter((file) => {
    const video = file.type.startsWith("video/");
    const most = video ? limits.video : limits.image;
    const why = !types.includes(file.type)
      ? "type"
      : file.size === 0
        ? "empty"
        : file.size > most
          ? video
            ? "largeVideo"
            : "large"
          : undefined;
    if (why) refused.push({ why, name: file.name, has: file.size, most });
    return !why;
  });
  return [taken, refused];
}

/** Adds files to a draft and sends them. Returns what is not taken, and how many are. */
export function add(shelf: string, files: readonly File[]): { added: number; refused: Refusal[] } {
  const [taken, refused] = sort(files);
  let added = 0;
  for (const file of taken) {
    const video = file.type.startsWith("video/");
    const all = attached(shelf);
    if (
      all.length >= limits.pictures ||
      all.some((one) => one.video) ||
      (video && all.length > 0)
    ) {
      refused.push({ why: "many" });
      break;
    }
    const key = crypto.randomUUID();
    runs.set(key, { file, kind: "tweet", stop: new AbortController(), alt: "" });
    put(shelf, [
      ...all,
      {
        key,
        name: file.name,
        video,
        state: "sending",
        sent: 0,
        preview: URL.createObjectURL(file),
      },
    ]);
    void run(shelf, key);
    added++;
  }
  return { added, refused };
}

/** Brings back the files of a draft that were sent before this page was there. */
export function bringBack(shelf: string, kept: readonly KeptMedia[]): void {
  if (shelves.has(shelf) || kept.length === 0) return;
  const all = kept.map(({ id, alt, video }): Attached => {
    const key = crypto.randomUUID();
    runs.set(key, { kind: "tweet", stop: new AbortController(), alt: alt ?? "" });
    return { key, id, name: "", video, state: "processing", sent: 1, alt };
  });
  put(shelf, all);
  for (const { key } of all) void run(shelf, key);
}

/** Takes a file from a draft, and stops its upload. */
export function remove(shelf: string, key: string): void {
  const one = attached(shelf).find((one) => one.key === key);
  put(
    shelf,
    attached(shelf).filter((one) => one.key !== key),
  );
  if (!one) return;
  const known = runs.get(key);
  end(one);
  forget(known, one.id);
}

/**
 * Tells that a tweet or a draft with these files is on its way to the API. They are its own from
 * then on, also if the answer is lost.
 */
export function give(shelf: string): void {
  for (const { key } of attached(shelf)) {
    const known = runs.get(key);
    if (known) known.taken = true;
  }
}

/** Empties a draft: a tweet has its files now, or a draft that the API keeps. */
export function clear(shelf: string): void {
  attached(shelf).forEach(end);
  put(shelf, none);
}

function end({ key, preview }: Attached): void {
  runs.get(key)?.stop.abort();
  runs.delete(key);
  if (preview?.startsWith("blob:")) URL.revokeObjectURL(preview);
}

// What nobody uses goes by itself after a day. It goes at once if this page sent it, and no draft of
// the API can have it.
function forget(known: Run | undefined, id: string | undefined): void {
  if (!known?.file || known.taken || !id) return;
  void hibana.DELETE("/v1/media/{id}", { params: { path: { id } } }).catch(() => undefined);
}

/** Sends a file again that failed. */
export function retry(shelf: string, key: string): void {
  set(shelf, key, { state: "sending", failure: undefined });
  void run(shelf, key);
}

/** Moves a file by some places, and returns its place then. */
export function move(shelf: string, key: string, to: number): number {
  const all = [...attached(shelf)];
  const from = all.findIndex((one) => one.key === key);
  const place = Math.max(0, Math.min(to, all.length - 1));
  const [one] = all.splice(from, 1);
  all.splice(place, 0, one!);
  put(shelf, all);
  return place;
}

export const describe = (shelf: string, key: string, alt: string) => set(shelf, key, { alt });

/** Tells the API the descriptions of files, before they are in a tweet. */
export async function saveAlts(shelf: string): Promise<void> {
  await Promise.all(
    attached(shelf).map(async ({ key, id, alt }) => {
      const known = runs.get(key);
      const text = alt?.trim();
      if (!id || !known || text === undefined || known.alt === text) return;
      await hibana.PATCH("/v1/media/{id}", { params: { path: { id } }, body: { alt: text } });
      known.alt = text;
    }),
  );
}

async function run(shelf: string, key: string): Promise<void> {
  const one = attached(shelf).find((one) => one.key === key);
  const known = runs.get(key);
  if (!one || !known) return;
  const { signal } = known.stop;
  try {
    const media = await upload(known, one.id, (change) => {
      if (!signal.aborted) set(shelf, key, change);
    });
    if (signal.aborted) return;
    known.alt = media.alt;
    const typed = attached(shelf).find((one) => one.key === key)?.alt;
    set(shelf, key, {
      state: "ready",
      sent: 1,
      alt: typed ?? media.alt, // somebody may have cleared it
      video: media.type === "video",
      ...(known.file ? {} : { preview: media.urls?.small ?? media.urls?.original }),
    });
  } catch (failure) {
    if (signal.aborted) return;
    // A file of an earlier page is there no more, and cannot be sent again.
    set(shelf, key, { state: "failed", failure });
  }
}

/** Sends a file until the API can show it. */
async function upload(
  known: Run,
  id: string | undefined,
  tell: (change: Partial<Attached>) => void,
): Promise<Schemas["Media"]> {
  const { file, kind, stop } = known;
  const { signal } = stop;
  const again = <T>(step: (moved: () => void) => Promise<T>) => persist(signal, tell, step);
  if (file && !known.session) {
    if (!known.start) {
      if (file.type.startsWith("video/")) known.poster ??= await sendPoster(file, signal);
      const made = await again(() =>
        within(signal, (signal) =>
          body(
            hibana.POST("/v1/media", {
              body: {
                kind,
                contentType: file.type,
                bytes: file.size,
                ...(known.poster ? { poster: known.poster } : {}),
              },
              signal,
            }),
          ),
        ),
      );
      id = made.id;
      known.start = made.upload;
      tell({ id });
    }
    try {
      known.session = await again(() => begin(known.start!, signal));
    } catch (failure) {
      // Its time is over, or it was used: another attempt asks for another.
      if (failure instanceof Refused) delete known.start;
      throw failure;
    }
  }
  if (file) {
    try {
      await again(async (moved) => {
        const come = (bytes: number) => {
          if (bytes <= (known.most ?? 0)) return;
          known.most = bytes;
          moved();
        };
        const show = (bytes: number) => tell({ sent: bytes / file.size });
        tell({ state: "sending" });
        const from = known.unsure ? await arrived(known.session!, file.size, signal) : 0;
        known.unsure = true;
        come(from);
        show(from);
        await send(known.session!, file, from, signal, show, come);
      });
    } catch (failure) {
      if (failure instanceof Refused) {
        forget(known, id);
        anew(known);
      }
      throw failure;
    }
  }
  tell({ state: "processing", sent: 1 });
  const last = Date.now() + longest;
  await pause(file ? 300 : 0, signal);
  for (let wait = 2000; ; wait = Math.min(wait * 1.5, 30_000)) {
    const { data, response } = await again(() =>
      within(signal, (signal) =>
        hibana.GET("/v1/media/{id}", { params: { path: { id: id! } }, signal }),
      ),
    );
    const media = data!;
    if (media.state === "ready") return media;
    if (media.state === "failed") {
      forget(known, id);
      anew(known);
      throw new Unfit(media.failure ?? "media_damaged");
    }
    const told = 1000 * (Number(response.headers.get("Retry-After")) || 0);
    const next = Math.max(wait, told);
    if (Date.now() + next > last) throw new Late();
    await pause(next, signal);
  }
}

// anew makes the next attempt of a file begin at its beginning.
function anew(known: Run): void {
  delete known.start;
  delete known.session;
  delete known.unsure;
  delete known.most;
}

const longest = 5 * 60_000; // milliseconds that somebody waits for the API to look at a file

/** The API has not looked at a file for so long that somebody should decide whether to wait. */
export class Late extends Error {}

/** Sends a picture of a profile or product with its description. Returns its id in the API. */
export async function sendPicture(
  file: File,
  kind: Exclude<Kind, "tweet">,
  signal: AbortSignal,
  onSent: (part: number) => void,
  alt = "",
): Promise<string> {
  const stop = new AbortController();
  signal.addEventListener("abort", () => stop.abort());
  const media = await upload({ file, kind, stop, alt: "" }, undefined, ({ sent }) => {
    if (sent !== undefined) onSent(sent);
  });
  if (alt)
    await hibana.PATCH("/v1/media/{id}", { params: { path: { id: media.id } }, body: { alt } });
  return media.id;
}

/** What the API says of a file that it cannot show. */
export class Unfit extends HibanaError {
  constructor(code: string) {
    super(400, code as Code, code, undefined);
  }
}

const attempts = 4; // of a step that gets nowhere, while there is a network

/**
 * Repeats a step that the network broke: when it is back, and else after a moment, a few times.
 * The step tells when it got further, and then has all its attempts again.
 */
async function persist<T>(
  signal: AbortSignal,
  tell: (change: Partial<Attached>) => void,
  step: (moved: () => void) => Promise<T>,
): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await step(() => (n = 1));
    } catch (failure) {
      signal.throwIfAborted();
      if (!passing(failure) && !(failure instanceof HibanaError && failure.status >= 500))
        throw failure;
      if (!navigator.onLine) {
        tell({ state: "waiting" });
        await back(signal);
        n = 0;
      } else if (n >= attempts) throw failure;
      else await pause(500 * 2 ** n, signal);
    }
  }
}

const pause = (time: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = () => (clearTimeout(due), reject(signal.reason as Error));
    const due = setTimeout(() => (signal.removeEventListener("abort", end), resolve()), time);
    signal.addEventListener("abort", end);
  });

// back is there when the browser says that there is a network.
const back = (signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    addEventListener("online", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
