/** Decodes a part of an address; one that cannot be decoded stays as it is. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
