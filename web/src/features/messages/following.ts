import type { LiveMessage } from "@hibana/client/listen";
import { useEffect, useRef, useState } from "react";
import { amend } from "../../lib/api";
import { followMessages } from "../../lib/live";
import {
  catchUp,
  deletedIn,
  latest,
  merge,
  numberOf,
  type Conversation,
  type Message,
  type MessagePage,
  type Pages,
} from "./messages";
import { messageKeys } from "./keys";

// What was heard, by the path of each document: the last of a full one, and the first of the next,
// may come at once.
type Parts = ReadonlyMap<string, Record<string, LiveMessage>>;

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
  const [parts, setParts] = useState<Parts>(new Map());
  // What the first answer of the listener has, the API has shown or left out for the reader.
  const floor = useRef<number>(undefined);
  const asked = useRef(new Set<string>());
  const told = useRef<Parts>(undefined);
  useEffect(() => {
    if (!path) return;
    return followMessages(path, (messages, path) =>
      setParts((parts) => new Map(parts).set(path, messages)),
    );
  }, [path]);
  useEffect(() => {
    if (!id || parts.size === 0 || !pages || !conversation) return;
    const known = new Set(pages.flatMap((page) => page.items.map((one) => one.id)));
    hear(id, [...parts]);
    const hidden = new Set(conversation.members.flatMap((one) => (one.hidden ? one.id : [])));
    const heard = [...parts].flatMap(([path, messages]) =>
      Object.entries(messages).map(([number, one]) => ({ path, number: Number(number), one })),
    );
    const newest = Math.max(0, ...[...known].map(numberOf));
    const deleted = deletedIn(id);
    const ask = (which: string) => {
      if (asked.current.has(which)) return;
      asked.current.add(which);
      catchUp(id, newest).catch(() => asked.current.delete(which));
    };
    if (floor.current === undefined) {
      floor.current = Math.max(newest, ...heard.map(({ number }) => number));
      if (floor.current > newest) ask("first");
    }
    // What the reader does to messages stays until something is heard of it.
    const news = (path: string) => before?.get(path) !== parts.get(path);
    const before = told.current;
    told.current = parts;
    const shown: Message[] = [];
    for (const { path, number, one } of heard) {
      const message = ofLive(idOf(path, id, number), one, hidden);
      if (hidden.has(one.authorId) || deleted.has(message.id)) continue;
      if (known.has(message.id)) {
        if (news(path)) shown.push(message);
      } else if (number <= floor.current || (own && one.authorId === me)) continue;
      else if (one.media?.length)
        ask(message.id); // the API knows the addresses of pictures
      else shown.push(message);
    }
    amend<Pages>(messageKeys.messages(id), (data) => merge(data, shown));
  }, [parts, pages, conversation, id, me, own]);
}

// What was heard last is read with the rest, also where it is of somebody whom the reader does not see.
function hear(id: string, parts: [string, Record<string, LiveMessage>][]): void {
  const heard = parts.flatMap(([path, messages]) =>
    Object.keys(messages).map((number) => idOf(path, id, Number(number))),
  );
  const newest = latest(heard);
  if (!newest) return;
  amend<Pages>(messageKeys.messages(id), (data) => {
    const [first, ...rest] = data.pages;
    return !first || latest([first.newestId, newest]) === first.newestId
      ? data
      : { ...data, pages: [{ ...first, newestId: newest }, ...rest] };
  });
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
