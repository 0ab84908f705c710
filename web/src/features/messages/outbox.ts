import { get, update } from "idb-keyval";
import { useSyncExternalStore } from "react";
import { HibanaError, type Code } from "../../lib/api";
import { reader } from "../../lib/firebase";
import { outboxOf, store } from "../../lib/keep";
import { arrived } from "./messages";
import { raw } from "./requests";
import { onReturn } from "../../lib/network";
import { onEnd, onLeave } from "../../lib/session";

/** A message on its way: kept in this browser until the API has it, or somebody discards it. */
export interface Waiting {
  /** The Idempotency-Key: however often it is sent, there is one message. */
  key: string;
  conversationId: string;
  text: string;
  mediaIds?: string[] | undefined;
  replyTo?: string | undefined;
  at: string;
  /** Why the API does not take it: it is not sent again by itself. */
  failure?: { status: number; code: string; message: string } | undefined;
}

const again = 15_000; // milliseconds until what did not arrive is sent again by itself
/** So many messages may wait. */
export const mostWaiting = 100;
const none: readonly Waiting[] = [];
const listeners = new Set<() => void>();
const others = new BroadcastChannel("hibana.outbox");
let of: string | undefined;
let session = new AbortController();
let all = none;
let changing = 0; // what is on its way to the store: what it has is older than what is here
let sent: string | undefined; // the key of what is being sent

const hear = (listener: () => void) => (
  listeners.add(listener),
  () => void listeners.delete(listener)
);
function show(now: readonly Waiting[]): void {
  all = now;
  listeners.forEach((listener) => listener());
}

/** What waits to be sent, of all conversations, in its order. */
export const useWaiting = () => useSyncExternalStore(hear, () => all);

/** What waits to be sent now. */
export const waiting = () => all;

/** Tells whether one more message may wait. */
export const hasRoom = () => all.length < mostWaiting;

/** The key of the message that is being sent now. */
export const useSending = () => useSyncExternalStore(hear, () => sent);

async function change(how: (all: readonly Waiting[]) => readonly Waiting[]): Promise<void> {
  const uid = of;
  if (!uid) return;
  show(how(all));
  changing++;
  try {
    await update<readonly Waiting[]>(outboxOf(uid), (kept) => how(kept ?? none), store);
    others.postMessage(uid);
  } catch {
    // no storage, as in some private windows: the page itself has them
  } finally {
    changing--;
  }
}

async function read(): Promise<void> {
  const uid = of;
  if (!uid) return;
  try {
    const kept = (await get<readonly Waiting[]>(outboxOf(uid), store)) ?? none;
    if (uid === of && changing === 0) show(kept);
  } catch {
    // as above
  }
}

let beginners = 0;

/**
 * Sends from now on what waits for an account, when it can. Returns what ends that: the last of
 * those who began ends it.
 */
export function begin(uid: string): () => void {
  if (of !== uid) {
    end();
    of = uid;
    session = new AbortController();
    others.onmessage = ({ data }) => data === of && void read();
    const stop = onReturn(() => void drain());
    const due = setInterval(() => all.some((one) => !one.failure) && void drain(), again);
    session.signal.addEventListener("abort", () => (stop(), clearInterval(due)));
    void read().then(drain);
  }
  beginners++;
  return () => {
    if (--beginners === 0) end();
  };
}

// What is being sent ends before a request can take the token of another account.
function end(): void {
  session.abort();
  of = undefined;
  show(none);
}
onEnd(end);

/** Adds a message, which is sent after those before it. Beyond the bound it is not added. */
export async function add(one: Omit<Waiting, "key" | "at">, key: string): Promise<void> {
  await change((all) =>
    all.some((other) => other.key === key) || all.length >= mostWaiting
      ? all
      : [...all, { ...one, key, at: new Date().toISOString() }],
  );
  void drain();
}

/** Sends a message again that the API did not take. */
export async function retry(key: string): Promise<void> {
  await change((all) => all.map((one) => (one.key === key ? { ...one, failure: undefined } : one)));
  void drain();
}

/** Forgets a message that was not sent. */
export const discard = (key: string) => change((all) => all.filter((one) => one.key !== key));

/** Forgets what waits in a conversation that the reader has left or deleted. */
export const discardAll = (conversationId: string) =>
  change((all) => all.filter((one) => one.conversationId !== conversationId));

let running: Promise<void> | undefined;
let more = false;

/** Sends what waits, one message after the other. */
export function drain(): Promise<void> {
  more = true;
  running ??= (async () => {
    while (more) {
      more = false;
      await alone(run).catch(() => undefined);
    }
    running = undefined;
  })();
  return running;
}
onLeave(() => running ?? Promise.resolve());

// alone keeps windows of the same account from sending at once.
const alone = (what: () => Promise<void>) =>
  "locks" in navigator ? navigator.locks.request(`hibana.${outboxOf(of ?? "")}`, what) : what();

async function run(): Promise<void> {
  await read();
  for (;;) {
    const one = all.find((one) => !one.failure);
    if (!one || !of || !navigator.onLine || (await reader()) !== of) return;
    const { key, conversationId, text, mediaIds, replyTo } = one;
    sent = key;
    show([...all]);
    try {
      arrived(
        conversationId,
        await raw.send(
          conversationId,
          { text, ...(mediaIds?.length ? { mediaIds } : {}), ...(replyTo ? { replyTo } : {}) },
          key,
          session.signal,
        ),
      );
      sent = undefined;
      await discard(key);
    } catch (failure) {
      sent = undefined;
      const final =
        failure instanceof HibanaError &&
        failure.status < 500 &&
        ![401, 408, 425, 429].includes(failure.status);
      if (!final) return show([...all]);
      const { status, code, message } = failure;
      await change((all) =>
        all.map((other) =>
          other.key === key ? { ...other, failure: { status, code, message } } : other,
        ),
      );
    }
  }
}

/** The failure of a message, as the API said it. */
export const failureOf = ({ failure }: Waiting) =>
  failure && new HibanaError(failure.status, failure.code as Code, failure.message, undefined);
