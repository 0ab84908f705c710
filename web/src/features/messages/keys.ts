/** The names of what was read of conversations. */
export const messageKeys = {
  conversations: ["conversations"],
  /** The reader's conversations, or the requests of strangers. */
  list: (requests: boolean) => ["conversations", requests],
  /** What waits: unread messages, and requests. */
  talks: ["conversations", "unread"],
  conversation: (id: string) => ["conversation", id],
  eachConversation: ["conversation"],
  messages: (id: string) => ["messages", id],
  found: (query: string, id: string | undefined) => ["messageSearch", query, id],
  /** People to whom the reader may write. */
  people: (text: string) => ["complete", `@${text}`, "messages"],
} as const;
