/** The names of what was read of lists and followed tags. */
export const listKeys = {
  all: ["lists"],
  mine: ["lists", "mine"],
  of: (uid: string) => ["lists", "of", uid],
  one: (uid: string, id: string) => ["lists", "one", uid, id],
  /** The members of a list of the reader, by id. */
  members: (id: string) => ["listMembers", id],
  allMembers: ["listMembers"],
  /** The tweets of lists. */
  tweets: ["listed"],
  timeline: (uid: string, id: string) => ["listed", uid, id, "timeline"],
  /** The members of a list of anybody, page by page. */
  people: (uid: string, id: string) => ["listMembers", uid, id],
  followedTags: ["followedTags"],
  /** What is known of a tag, and whether the reader follows it. */
  about: (tag: string) => ["tag", tag],
  tag: ["tag"],
} as const;
