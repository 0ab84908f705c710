/** The subjects of wishes about a person. */
export const following = (uid: string) => `follow ${uid}`;
export const muting = (uid: string) => `mute of ${uid}`;
export const blocking = (uid: string) => `block of ${uid}`;
