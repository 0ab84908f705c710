/**
 * The tag or the name that is typed at the end of a text, with its # or @: the name may be a handle
 * with a host. Empty if none is.
 */
export const typedWord = (before: string): string =>
  /(?:^|\s)([#@][\p{L}\p{N}_]*|@\w[\w.-]*@[\w.:-]*)$/u.exec(before)?.[1] ?? "";
