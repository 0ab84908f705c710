/** The names of what was read of apps of others. */
export const appKeys = {
  /** The apps that the reader let in. */
  mine: ["apps"],
  /** What an app asks for. */
  asked: (request: unknown) => ["apps", "asked", request],
} as const;
