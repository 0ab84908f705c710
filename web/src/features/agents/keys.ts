/** The names of what was read of the reader's agent. */
export const agentKeys = {
  mine: ["agent"],
  acts: ["agent", "acts"],
} as const;
