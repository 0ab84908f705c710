import { useLayoutEffect } from "react";

// What is on the page, the newest last, and how many unread notifications the reader has.
const pages: { title: string }[] = [];
let unread = 0;

function write(): void {
  const page = pages.at(-1)?.title;
  document.title = (unread > 0 ? `(${unread}) ` : "") + (page ? `${page} · Hibana` : "Hibana");
}

/**
 * Calls the window, its place in the history and a bookmark after the page, such as "Explore ·
 * Hibana". "" is a page that does not know yet what it is about.
 */
export function useTitle(title: string): void {
  useLayoutEffect(() => {
    const page = { title };
    pages.push(page);
    write();
    return () => {
      pages.splice(pages.indexOf(page), 1);
      write();
    };
  }, [title]);
}

/** Puts the number of unread notifications before the title. */
export function countInTitle(count: number): void {
  unread = count;
  write();
}

/** Returns the first words of a text, in at most so many characters. */
export function firstWords(text: string, most = 60): string {
  const line = text.replace(/\s+/g, " ").trim();
  const letters = [...line];
  if (letters.length <= most) return line;
  const cut = letters.slice(0, most).join("");
  const word = cut.lastIndexOf(" ");
  return `${(word > most / 2 ? cut.slice(0, word) : cut).trimEnd()}…`;
}
