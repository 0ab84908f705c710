/** Returns a time as people say it, with its day. */
export function dateAndTime(at: string, language: string): string {
  return new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}
