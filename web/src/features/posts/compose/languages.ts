import { ownerHere } from "../../../lib/accounts";
import { speech } from "../../../lib/speech";

/** Languages to choose from, by their BCP 47 tags. Others come with what an app wrote. */
export const languages = (
  "ar bn cs da de el en es fa fi fr he hi hu id it ja ko ms nl no pl pt ro ru sv sw ta th tl tr " +
  "uk ur vi zh"
).split(" ");

const place = () => `hibana.draft.${ownerHere()}.language`; // a sign-out removes it with the drafts

/** The language in which the reader wrote last in this browser, or that of the client. */
export function usual(): string {
  try {
    return localStorage.getItem(place()) ?? speech.language;
  } catch {
    return speech.language;
  }
}

/** Remembers a language that was chosen for a text. */
export function remember(language: string): void {
  try {
    localStorage.setItem(place(), language);
  } catch {
    // without storage it is chosen each time
  }
}

/** Returns the name of a language in the reader's own, or the tag if it has none. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([speech.language], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
