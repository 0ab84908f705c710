import "../../i18n/messages";
import { useInfiniteQuery, useQuery, type InfiniteData } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import { amend, queries, type Media, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { raw } from "./requests";
import { onEnd } from "../../lib/session";
import { messageKeys } from "./keys";
import { inAllTabs } from "../../lib/tabs";

export type Conversation = Schemas["Conversation"];
export type Member = Schemas["ConversationMember"];
/** A message of a conversation. Its id ends with its number and sorts by time. */
export type Message = Schemas["Message"];
/** Messages, newest first, and the path of the document that has the newest. */
export type MessagePage = Schemas["MessageList"] & {
  /** The newest message, also one that the reader does not see: up to it the reader has read. */
  newestId?: string;
};
export type Pages = InfiniteData<MessagePage, string | undefined>;

export type Messengers = NonNullable<Schemas["User"]["messagesFrom"]>;

export const limits = { text: 2000, name: 60, people: 31 };
/** For so long, in milliseconds, a message can be taken back. */
export const regret = 60 * 60_000;
/** The end of a mute for ever. */
export const forEver = "9999-12-31T00:00:00Z";

const { messages: messagesKey, conversation: conversationKey, list: listKey } = messageKeys;

/** Reads the reader's conversations, or the requests of strangers, newest first. */
export const useConversations = (requests: boolean) =>
  useInfiniteQuery({
    queryKey: listKey(requests),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => raw.list(requests, pageParam),
    getNextPageParam: (last) => last.nextPageToken || undefined,
    refetchOnMount: "always",
  });

/**
 * Reads a conversation: who is in it, and what the reader may do. One that a list has just read is
 * not read again.
 */
export const useConversation = (id: string | undefined) =>
  useQuery({
    queryKey: conversationKey(id ?? ""),
    enabled: id !== undefined,
    queryFn: () => raw.conversation(id!),
    staleTime: 60_000,
    initialData: () => (id ? listed(id)?.one : undefined),
    initialDataUpdatedAt: () => (id ? listed(id)?.at : undefined),
  });

type Listed = InfiniteData<{ items: Conversation[]; nextPageToken: string }>;

// listed returns a conversation as the list that was read last has it, and when that was.
function listed(id: string): { one: Conversation; at: number } | undefined {
  const found = [false, true].flatMap((requests) => {
    const list = queries.getQueryState<Listed>(listKey(requests));
    const one = list?.data?.pages.flatMap(({ items }) => items).find((other) => other.id === id);
    return one ? [{ one, at: list?.isInvalidated ? 0 : (list?.dataUpdatedAt ?? 0) }] : [];
  });
  return found.sort((a, b) => b.at - a.at)[0];
}

/** Reads the messages of a conversation, page by page, newest first. */
export const useMessages = (id: string) =>
  useInfiniteQuery({
    queryKey: messagesKey(id),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }): Promise<MessagePage> => raw.messages(id, pageParam),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });

/** Searches the reader's conversations, or one of them. */
export const useFound = (query: string, conversationId: string | undefined) =>
  useInfiniteQuery({
    queryKey: messageKeys.found(query, conversationId),
    enabled: query !== "",
    meta: { keep: false },
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => raw.search(query, conversationId, pageParam),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });

/** The place of a message in its conversation: higher is newer. */
export const numberOf = (id: string) => Number(id.slice(id.lastIndexOf("-") + 1));

/** The newest of messages, by their ids. */
export const latest = (ids: readonly (string | undefined)[]): string | undefined =>
  ids.reduce((a, b) => (!a || (b && numberOf(b) > numberOf(a)) ? b : a), undefined);

/** What a conversation is called: its name, or the people in it. */
export function titleOf({ name, members }: Conversation, me: string | undefined): string {
  if (name) return name;
  const others = members.filter((one) => one.id !== me && !one.hidden);
  const here = others.filter(({ state }) => state !== "left");
  return (
    (here.length > 0 ? here : others).map(nameOf).join(speech.t("messages:comma")) ||
    speech.t("messages:somebody")
  );
}

/** What somebody is called, also after leaving the service. */
export const nameOf = (one: Pick<Member, "nickname" | "username"> | undefined) =>
  one?.nickname || one?.username || speech.t("messages:somebody");

/** Whether a mute has not ended yet. */
export const muted = ({ mutedUntil }: Conversation) =>
  Boolean(mutedUntil) && Date.parse(mutedUntil!) > Date.now();

/** Changes a conversation wherever it was read; null takes it away. */
export function changeConversation(
  id: string,
  how: (one: Conversation) => Conversation | null,
): void {
  amend<Conversation>(conversationKey(id), (one) => how(one) ?? one);
  for (const requests of [false, true])
    amend<Listed>(listKey(requests), (data) => ({
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        items: page.items.flatMap((one) => (one.id === id ? (how(one) ?? []) : one)),
      })),
    }));
}

/** Changes a message that was read; null takes it away. */
export function changeMessage(
  conversationId: string,
  id: string,
  how: (message: Message) => Message | null,
): void {
  amend<Pages>(messagesKey(conversationId), (data) => ({
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      items: page.items.flatMap((one) => (one.id === id ? (how(one) ?? []) : one)),
    })),
  }));
}

/** Puts a message of the reader in its place, at once. */
export function arrived(conversationId: string, message: Message): void {
  amend<Pages>(messagesKey(conversationId), (data) => merge(data, [message]));
  const before = queries.getQueryData<Conversation>(conversationKey(conversationId));
  const unread = (before ?? listed(conversationId)?.one)?.unreadCount;
  changeConversation(conversationId, (one) => ({
    ...one,
    myState: "member",
    unreadCount: 0,
    changedAt: message.createdAt,
    lastMessage: {
      id: message.id,
      authorId: message.authorId,
      excerpt: message.text.slice(0, 100),
      hasMedia: Boolean(message.media?.length),
      takenBack: false,
      createdAt: message.createdAt,
    },
  }));
  void queries.invalidateQueries({ queryKey: listKey(false) });
  if (unread) void queries.invalidateQueries({ queryKey: messageKeys.talks });
}

/**
 * Puts messages into what was read: those that are there are replaced, others stand by their
 * number on the first page. Returns data itself where nothing changes.
 */
export function merge(data: Pages, messages: readonly Message[]): Pages {
  const known = new Map(data.pages.flatMap((page) => page.items.map((one) => [one.id, one])));
  const fresh = messages.filter(({ id }) => !known.has(id));
  const changed = new Map(
    messages.flatMap((one) => {
      const before = known.get(one.id);
      return before && !same(before, one) ? [[one.id, one] as const] : [];
    }),
  );
  if (fresh.length === 0 && changed.size === 0) return data;
  return {
    ...data,
    pages: data.pages.map((page, n) => ({
      ...page,
      items: [
        ...(n === 0 ? fresh : []),
        ...page.items.map((one) => put(one, changed.get(one.id))),
      ].sort((a, b) => numberOf(b.id) - numberOf(a.id)),
    })),
  };
}

// A listener does not know the addresses of pictures.
const put = (before: Message, after: Message | undefined): Message =>
  after ? { media: after.takenBack ? [] : (before.media ?? []), ...after } : before;

/**
 * Reads what came after a message, by its number, and puts it where it belongs: each part of the
 * conversation is a page.
 */
export async function catchUp(id: string, after: number): Promise<void> {
  const found: Message[] = [];
  let token: string | undefined;
  for (let n = 0; n < parts; n++) {
    const { items, nextPageToken } = await raw.messages(id, token);
    found.push(...items.filter((one) => numberOf(one.id) > after));
    if (!nextPageToken || items.some((one) => numberOf(one.id) <= after)) break;
    token = nextPageToken;
  }
  amend<Pages>(messagesKey(id), (data) => merge(data, found));
}
const parts = 20; // that are read at most for what came

const sorted = ({ reactions }: Message) =>
  reactions.map(({ emoji, userIds }) => [emoji, ...[...userIds].sort()].join()).sort();
const same = (a: Message, b: Message) =>
  a.text === b.text && a.takenBack === b.takenBack && sorted(a).join(";") === sorted(b).join(";");

/** Accepts a request of a stranger, or refuses it. */
export async function answer(id: string, accept: boolean): Promise<boolean> {
  try {
    await (accept ? raw.accept(id) : raw.refuse(id));
  } catch (failure) {
    tell(failure);
    return false;
  }
  if (accept) changeConversation(id, (one) => ({ ...one, myState: "member" }));
  reread();
  await queries.invalidateQueries({ queryKey: listKey(true) });
  if (accept) void queries.invalidateQueries({ queryKey: conversationKey(id) });
  else drop(id);
  return true;
}

/** Reads again what lists conversations and counts them. */
export function reread(): void {
  void queries.invalidateQueries({ queryKey: messageKeys.conversations });
}

function drop(id: string): void {
  changeConversation(id, () => null);
  queries.removeQueries({ queryKey: messagesKey(id) });
  queries.removeQueries({ queryKey: conversationKey(id) });
}

/** Renames a conversation, or mutes it until a time; null ends a mute. */
export async function alter(
  id: string,
  change: { name?: string; mutedUntil?: string | null },
): Promise<void> {
  await raw.alter(id, change);
  changeConversation(id, (one) => ({
    ...one,
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.mutedUntil === undefined ? {} : { mutedUntil: change.mutedUntil ?? undefined }),
  }));
}

/** Leaves a conversation of several people, or takes one away for the reader alone. */
export const part = (id: string, how: "leave" | "delete"): Promise<unknown> =>
  how === "leave" ? raw.leave(id) : raw.remove(id);

/** Forgets a conversation that the reader has no more. */
export function parted(id: string): void {
  drop(id);
  reread();
}

const deletedHere = new Map<string, Set<string>>();
onEnd(() => deletedHere.clear());

/** The messages of a conversation that this page deleted for the reader alone. */
export function deletedIn(conversationId: string): Set<string> {
  const all = deletedHere.get(conversationId) ?? new Set();
  deletedHere.set(conversationId, all);
  return all;
}

/** Takes a message back for everybody, or away for the reader alone. */
export async function takeBack(
  conversationId: string,
  message: Message,
  whose: "everybody" | "me",
): Promise<void> {
  try {
    await raw.takeBack(conversationId, message.id, whose);
  } catch (failure) {
    return tell(failure);
  }
  if (whose === "me") deletedIn(conversationId).add(message.id);
  changeMessage(conversationId, message.id, (one) =>
    whose === "me" ? null : { ...one, text: "", media: [], reactions: [], takenBack: true },
  );
  void queries.invalidateQueries({ queryKey: listKey(false) });
}

/** Reacts to a message: one emoji a person. It is on the page at once, and not if the API refuses. */
export async function react(
  conversationId: string,
  message: Message,
  emoji: string | undefined,
  me: string,
): Promise<void> {
  const { reactions } = message;
  changeMessage(conversationId, message.id, (one) => ({
    ...one,
    reactions: reacted(one.reactions, emoji, me),
  }));
  try {
    await raw.react(conversationId, message.id, emoji);
  } catch (failure) {
    changeMessage(conversationId, message.id, (one) => ({ ...one, reactions }));
    tell(failure);
  }
}

function reacted(all: Message["reactions"], emoji: string | undefined, me: string) {
  const others = all
    .map((one) => ({ ...one, userIds: one.userIds.filter((id) => id !== me) }))
    .filter(({ userIds }) => userIds.length > 0);
  if (emoji === undefined) return others;
  return others.some((one) => one.emoji === emoji)
    ? others.map((one) => (one.emoji === emoji ? { ...one, userIds: [...one.userIds, me] } : one))
    : [...others, { emoji, userIds: [me] }];
}

const seldom = 5000; // milliseconds between two words to the API of what was read
const read = new Map<string, { told: number; at: number; due?: ReturnType<typeof setTimeout> }>();
onEnd(() => {
  read.forEach(({ due }) => clearTimeout(due));
  read.clear();
});

const wasRead = inAllTabs("conversation read", (id: string) =>
  changeConversation(id, (one) => ({ ...one, unreadCount: 0 })),
);

/** Tells the API that the newest message was in the window: at most each five seconds. */
export function seen(conversationId: string, messageId: string): void {
  const number = numberOf(messageId);
  const before = read.get(conversationId) ?? { told: 0, at: 0 };
  if (number <= before.told) return;
  clearTimeout(before.due);
  const send = () => {
    read.set(conversationId, { told: number, at: Date.now() });
    raw.read(conversationId, messageId).then(
      () => {
        wasRead(conversationId);
        void queries.invalidateQueries({ queryKey: messageKeys.talks });
      },
      () => read.delete(conversationId), // the next message says it again
    );
  };
  const wait = before.at + seldom - Date.now();
  if (wait <= 0) send();
  else read.set(conversationId, { ...before, due: setTimeout(send, wait) });
}

/** A message as pictures need it: what they are of, and how their addresses are read again. */
export const pictured = (conversationId: string, message: Message, author: string) => ({
  id: message.id,
  media: message.media ?? [],
  author: { nickname: author },
  reread: async (): Promise<Media[]> => {
    await queries.invalidateQueries({ queryKey: messagesKey(conversationId) });
    const data = queries.getQueryData<Pages>(messagesKey(conversationId));
    const all = data?.pages.flatMap((page) => page.items) ?? [];
    return all.find(({ id }) => id === message.id)?.media ?? [];
  },
});
