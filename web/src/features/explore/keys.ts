/** The names of what was read of what everybody may find. */
export const exploreKeys = {
  public: ["public"],
  found: (text: string, following: boolean) => ["found", text, following],
  allFound: ["found"],
  people: (text: string) => ["foundPeople", text],
  allPeople: ["foundPeople"],
  trends: ["trends"],
  trendingTags: ["trendingTags"],
  /** The tags that most tweets have. */
  topTags: (count: number) => ["tags", "top", count],
  popularTags: ["tags", "tweetCount"],
  tagged: (tag: string) => ["tagged", tag],
  allTagged: ["tagged"],
  tagUsers: (tag: string) => ["tagUsers", tag],
  allTagUsers: ["tagUsers"],
} as const;
