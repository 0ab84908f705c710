/** The names of what was read of mutes, blocks and filters. */
export const quietKeys = {
  mutes: ["mutes"],
  muteList: ["mutes", "list"],
  blocks: ["blocks"],
  blockList: ["blocks", "list"],
  filters: ["filters"],
} as const;
