/** The names of what was read of this server. */
export const instanceKeys = { instance: ["instance"] } as const;
