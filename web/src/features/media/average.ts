// What every page needs of a blurhash: it has few bytes, and blurhash.ts comes with the pictures.

export const digits =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

export const number = (text: string) =>
  [...text].reduce((sum, digit) => sum * 83 + digits.indexOf(digit), 0);

/** The average of a picture, as styles write colors. Undefined for a text that is no blurhash. */
export function average(hash = ""): string | undefined {
  const of = number(hash.slice(2, 6));
  return hash.length < 6 || of < 0 || of > 0xffffff
    ? undefined
    : `#${of.toString(16).padStart(6, "0")}`;
}
