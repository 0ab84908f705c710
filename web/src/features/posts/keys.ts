/** The names of what was read of tweets. The first part of a name says which filters act on it. */
export const postKeys = {
  home: ["home"],
  tweet: (id: string) => ["tweet", id],
  tweets: ["tweet"],
  /** A tweet with the counts of its poll, and the vote of the reader. */
  poll: (id: string) => ["poll", id],
  thread: (id: string) => ["thread", id],
  threads: ["thread"],
  quoted: (id: string) => ["quoted", id],
  allQuoted: ["quoted"],
  quotes: (id: string) => ["quotes", id],
  allQuotes: ["quotes"],
  /** Who liked or shared a tweet. */
  reacted: (of: "likes" | "shares", id: string) => [of, id],
  likes: ["likes"],
  shares: ["shares"],
  /** The tweets of a person's profile. */
  authored: (uid: string | undefined) => ["authored", uid],
  tab: (uid: string, tab: string) => ["authored", uid, tab],
  allAuthored: ["authored"],
  pins: (uid: string) => ["pins", uid],
  allPins: ["pins"],
  bookmarks: ["bookmarks"],
  revisions: (id: string) => ["revisions", id],
  allRevisions: ["revisions"],
  /** A tweet as its author wrote it, to be edited. */
  edited: (id: string | undefined) => ["edited", id],
  drafts: ["drafts"],
  held: (own: boolean) => ["held", own],
  allHeld: ["held"],
  link: (url: string) => ["link", url],
  ownTags: (uid: string | undefined) => ["ownTags", uid],
  /** People and tags that complete what is typed. */
  complete: (text: string) => ["complete", text],
} as const;
