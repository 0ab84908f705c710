/** The names of what was read of the reader, and of this browser. */
export const readerKeys = {
  /** The reader's own profile. */
  me: ["me"],
  role: (uid: string | undefined) => ["role", uid],
  push: ["push"],
} as const;
