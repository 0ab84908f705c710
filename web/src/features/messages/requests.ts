import { body, hibana } from "../../lib/api";

const one = (id: string) => ({ path: { id } });
const of = (id: string, messageId: string) => ({ path: { id, messageId } });

/** The requests about conversations, each as the API has it. */
export const raw = {
  list: (requests: boolean, pageToken: string | undefined) =>
    body(hibana.GET("/v1/conversations", { params: { query: { requests, pageToken } } })),
  begin: (letter: { memberIds: string[]; name?: string; text: string }, key: string) =>
    body(
      hibana.POST("/v1/conversations", {
        params: { header: { "Idempotency-Key": key } },
        body: letter,
      }),
    ),
  count: (since: string | undefined) =>
    body(hibana.GET("/v1/conversations/unreadCount", { params: { query: { since } } })),
  conversation: (id: string) => body(hibana.GET("/v1/conversations/{id}", { params: one(id) })),
  alter: (id: string, change: { name?: string; mutedUntil?: string | null }) =>
    hibana.PATCH("/v1/conversations/{id}", { params: one(id), body: change }),
  remove: (id: string) => hibana.DELETE("/v1/conversations/{id}", { params: one(id) }),
  accept: (id: string) => hibana.POST("/v1/conversations/{id}/accept", { params: one(id) }),
  refuse: (id: string) => hibana.POST("/v1/conversations/{id}/refuse", { params: one(id) }),
  leave: (id: string) => hibana.POST("/v1/conversations/{id}/leave", { params: one(id) }),
  messages: (id: string, pageToken: string | undefined) =>
    body(
      hibana.GET("/v1/conversations/{id}/messages", {
        params: { ...one(id), query: { pageToken } },
      }),
    ),
  send: (
    id: string,
    message: { text: string; mediaIds?: string[]; replyTo?: string },
    key: string,
    signal: AbortSignal,
  ) =>
    body(
      hibana.POST("/v1/conversations/{id}/messages", {
        params: { ...one(id), header: { "Idempotency-Key": key } },
        body: message,
        signal,
      }),
    ),
  read: (id: string, messageId: string) =>
    hibana.PUT("/v1/conversations/{id}/read", { params: one(id), body: { messageId } }),
  takeBack: (id: string, messageId: string, whose: "everybody" | "me") =>
    hibana.DELETE("/v1/conversations/{id}/messages/{messageId}", {
      params: { ...of(id, messageId), query: { for: whose } },
    }),
  react: async (id: string, messageId: string, emoji: string | undefined): Promise<void> => {
    const params = of(id, messageId);
    await (emoji === undefined
      ? hibana.DELETE("/v1/conversations/{id}/messages/{messageId}/reaction", { params })
      : hibana.PUT("/v1/conversations/{id}/messages/{messageId}/reaction", {
          params,
          body: { emoji },
        }));
  },
  search: (query: string, conversationId: string | undefined, pageToken: string | undefined) =>
    body(
      hibana.GET("/v1/conversations/search", {
        params: { query: { query, conversationId, pageToken } },
      }),
    ),
};
