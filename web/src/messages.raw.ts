import { body, hibana, type User } from "./api";
import type { Conversation, Message, MessagePage, Messengers } from "./messages";

// The requests, until the generated client has their types.
type Answer = Promise<{ data?: unknown }>;
const any = hibana as unknown as Record<
  "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  (path: string, init: object) => Answer
>;
const ask = <T>(answer: Answer) => body(answer as Promise<{ data?: T }>);
const one = (id: string, messageId?: string) => ({ path: { id, messageId } });

export interface NewMessage {
  text: string;
  mediaIds?: string[];
  replyTo?: string;
}

export const raw = {
  list: (requests: boolean, pageToken: string | undefined) =>
    ask<{ items: Conversation[]; nextPageToken: string }>(
      any.GET("/v1/conversations", { params: { query: { requests, pageToken } } }),
    ),
  begin: (text: { memberIds: string[]; name?: string; text: string }, key: string) =>
    ask<Conversation>(
      any.POST("/v1/conversations", {
        params: { header: { "Idempotency-Key": key } },
        body: text,
      }),
    ),
  count: () =>
    ask<{ count: number; requests: number }>(any.GET("/v1/conversations/unreadCount", {})),
  conversation: (id: string) =>
    ask<Conversation>(any.GET("/v1/conversations/{id}", { params: one(id) })),
  alter: (id: string, change: { name?: string; mutedUntil?: string | null }) =>
    ask(any.PATCH("/v1/conversations/{id}", { params: one(id), body: change })),
  remove: (id: string) => ask(any.DELETE("/v1/conversations/{id}", { params: one(id) })),
  accept: (id: string) => ask(any.POST("/v1/conversations/{id}/accept", { params: one(id) })),
  refuse: (id: string) => ask(any.POST("/v1/conversations/{id}/refuse", { params: one(id) })),
  leave: (id: string) => ask(any.POST("/v1/conversations/{id}/leave", { params: one(id) })),
  messages: (id: string, pageToken: string | undefined) =>
    ask<MessagePage>(
      any.GET("/v1/conversations/{id}/messages", {
        params: { ...one(id), query: { pageToken } },
      }),
    ),
  send: (id: string, message: NewMessage, key: string) =>
    ask<Message>(
      any.POST("/v1/conversations/{id}/messages", {
        params: { ...one(id), header: { "Idempotency-Key": key } },
        body: message,
      }),
    ),
  read: (id: string, messageId: string) =>
    ask(any.PUT("/v1/conversations/{id}/read", { params: one(id), body: { messageId } })),
  takeBack: (id: string, messageId: string, whose: "everybody" | "me") =>
    ask(
      any.DELETE("/v1/conversations/{id}/messages/{messageId}", {
        params: { ...one(id, messageId), query: { for: whose } },
      }),
    ),
  react: (id: string, messageId: string, emoji: string | undefined) =>
    ask(
      emoji === undefined
        ? any.DELETE("/v1/conversations/{id}/messages/{messageId}/reaction", {
            params: one(id, messageId),
          })
        : any.PUT("/v1/conversations/{id}/messages/{messageId}/reaction", {
            params: one(id, messageId),
            body: { emoji },
          }),
    ),
  messagesFrom: (uid: string, messagesFrom: Messengers) =>
    ask<User>(any.PATCH("/v1/users/{uid}", { params: { path: { uid } }, body: { messagesFrom } })),
  messagesFromOf: (me: User) =>
    (me as User & { messagesFrom?: Messengers }).messagesFrom ?? "everybody",
  search: (query: string, conversationId: string | undefined, pageToken: string | undefined) =>
    ask<{
      items: { conversationId: string; message: Message }[];
      nextPageToken: string;
    }>(
      any.GET("/v1/conversations/search", {
        params: { query: { query, conversationId, pageToken } },
      }),
    ),
};
