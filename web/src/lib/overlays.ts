import { useSyncExternalStore } from "react";
import { hurry } from "./drawn";
import type { Pictured, Schemas, Tweet, UserSummary } from "./api";

/** What stands above the page. */
export type Overlay =
  | { kind: "compose"; replyTo?: Tweet; quoteOf?: Tweet; edit?: Tweet; draft?: Schemas["Draft"] }
  | { kind: "keys" }
  | { kind: "history"; tweet: Tweet }
  | { kind: "pictures"; tweet: Pictured; at: number }
  | { kind: "people"; of: "likes" | "shares"; tweet: Tweet }
  | {
      kind: "hush";
      how: "mute" | "block" | "remove";
      user: Pick<UserSummary, "id" | "nickname">;
      /** What follows a block. */
      then?: () => void;
    }
  | { kind: "message"; to?: Addressee }
  | { kind: "lists"; user: Pick<UserSummary, "id" | "nickname"> }
  | {
      kind: "report";
      tweet?: Tweet;
      user?: Pick<UserSummary, "id" | "nickname"> & { remote?: Tweet["remote"] };
      message?: { conversationId: string; messageId: string };
    };

/** Whom a message is for. */
export type Addressee = Pick<UserSummary, "id" | "username" | "nickname" | "avatar">;

let current: Overlay | undefined;
const listeners = new Set<() => void>();

export function show(overlay: Overlay | undefined): void {
  current = overlay;
  if (overlay) hurry(); // nobody waits for a window
  listeners.forEach((listener) => listener());
}

/**
 * Tells whether something stands above the page, or is about to: then keys are not for the page.
 */
export const overlaid = () => current !== undefined;

export function useOverlay(): Overlay | undefined {
  return useSyncExternalStore(
    (hear) => (listeners.add(hear), () => listeners.delete(hear)),
    () => current,
  );
}
