/** The names of what was read of decisions about the reader. */
export const moderationKeys = { decisions: ["decisions"] } as const;
