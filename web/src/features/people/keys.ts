/** The names of what was read of people. */
export const peopleKeys = {
  /** A person by id, or by name with an @ before it. */
  user: (name: string) => ["user", name],
  users: ["user"],
  /** What stands between the reader and a person. */
  ties: (uid: string) => ["ties", uid],
  allTies: ["ties"],
  follow: (list: "followers" | "following", uid: string) => [list, uid],
  followers: ["followers"],
  following: ["following"],
  requests: ["followRequests"],
  familiar: (uid: string) => ["familiar", uid],
  pinnedTags: (uid: string, tags: readonly string[] | undefined) => ["pinnedTags", uid, tags],
  note: (uid: string) => ["personNote", uid],
  notes: ["personNote"],
  /** Whether the posts of a person make notifications. */
  told: (uid: string) => ["told", uid],
  allTold: ["told"],
  hidden: ["hiddenSharers"],
  someHidden: ["hiddenSharers", "some"],
  hiddenList: ["hiddenSharers", "list"],
  suggestions: ["suggestions"],
  directory: ["directory"],
  directoryBy: (order: string, language: string | undefined) => ["directory", order, language],
  announcements: ["announcements"],
} as const;
