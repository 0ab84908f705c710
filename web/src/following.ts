import type { LiveMessage } from "@hibana/client/listen";
import { useEffect, useRef, useState } from "react";
import { amend } from "./api";
import { followMessages } from "./live";
import {
  catchUp,
  merge,
  messagesKey,
  numberOf,
  type Conversation,
  type Message,
  type MessagePage,
  type Pages,
} from "./messages";

interface Part {
  path: string;
  messages: Record<string, LiveMessage>;
}

/**
 * Brings the messages of a conversation to the page as they come. own says that a message of the
 * reader is on its way: the answer to it brings the message, and not the listener as well.
 */
export function useFollowing(
  conversation: Conversation | undefined,
  pages: MessagePage[] | undefined,
  me: string | undefined,
  own: boolean,
): void {
  const id = conversation?.id;
  const path = pages?.[0]?.listen;
  const [part, setPart] = useState<Part>();
  // What the first answer of the listener has, the API has shown or left out for the reader.
  const floor = useRef<number>(undefined);
  const asked = useRef(new Set<string>());
  useEffect(() => {
    if (!path) return;
    return followMessages(path, (messages, path) => setPart({ path, messages }));
  }, [path]);
  useEffect(() => {
    if (!id || !part || !pages || !conversation) return;
    const known = new Set(pages.flatMap((page) => page.items.map((one) => one.id)));
    const hidden = new Set(conversation.members.flatMap((one) => (one.hidden ? one.id : [])));
    const numbers = Object.keys(part.messages).map(Number);
    const newest = Math.max(0, ...[...known].map(numberOf));
    const ask = (which: string) => {
      if (asked.current.has(which)) return;
      asked.current.add(which);
      catchUp(id).catch(() => asked.current.delete(which));
    };
    if (floor.current === undefined) {
      floor.current = Math.max(newest, ...numbers);
      if (floor.current > newest) ask("first");
    }
    const shown: Message[] = [];
    for (const [number, one] of Object.entries(part.messages)) {
      const message = ofLive(idOf(part.path, id, Number(number)), one, hidden);
      if (hidden.has(one.authorId)) continue;
      if (known.has(message.id)) shown.push(message);
      else if (Number(number) <= floor.current || (own && one.authorId === me)) continue;
      else if (one.media?.length)
        ask(message.id); // the API knows the addresses of pictures
      else shown.push(message);
    }
    amend<Pages>(messagesKey(id), (data) => merge(data, shown));
  }, [part, pages, conversation, id, me, own]);
}

/** Returns the id of a message: of the month and the part of its document, and of its number. */
export function idOf(path: string, conversationId: string, number: number): string {
  const [month = "", n = "0"] = path
    .slice(path.lastIndexOf("/") + conversationId.length + 2)
    .split("_");
  return `${month.replace("-", "")}-${n.padStart(4, "0")}-${String(number).padStart(9, "0")}`;
}

function ofLive(id: string, one: LiveMessage, hidden: ReadonlySet<string>): Message {
  const by = new Map<string, string[]>();
  for (const [uid, emoji] of Object.entries(one.reactions ?? {}))
    if (!hidden.has(uid)) by.set(emoji, [...(by.get(emoji) ?? []), uid]);
  return {
    id,
    authorId: one.authorId,
    text: one.text ?? "",
    createdAt: new Date(one.at.toMillis()).toISOString(),
    ...(one.replyTo ? { replyTo: one.replyTo } : {}),
    reactions: [...by].map(([emoji, userIds]) => ({ emoji, userIds })),
    takenBack: one.takenBack ?? false,
  };
}
