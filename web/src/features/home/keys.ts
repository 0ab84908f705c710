/** The names of what was read of where the reader was. */
export const homeKeys = {
  markers: ["markers"],
  marker: (uid: string | undefined) => ["markers", uid],
} as const;
