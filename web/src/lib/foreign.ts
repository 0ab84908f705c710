import { useSyncExternalStore } from "react";
import { home } from "./api";

// The pictures of other hosts that the reader asked for, until the page is loaded again.
const asked = new Set<string>();
const listeners = new Set<() => void>();
const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Whether a picture is at another host than this page, the API and its files: its host would see
 * the reader.
 */
function foreign(address: string): boolean {
  try {
    return ![location.origin, new URL(home).origin, import.meta.env.VITE_MEDIA_URL].includes(
      new URL(address, location.href).origin,
    );
  } catch {
    return true;
  }
}

/** The host of an address, as people read it. */
export function host(address: string): string {
  try {
    return new URL(address, location.href).host;
  } catch {
    return address;
  }
}

/** Loads a picture of another host wherever it stands. */
export function load(address: string): void {
  asked.add(address);
  for (const listener of listeners) listener();
}

/** Whether a picture may load: it is ours, or the reader asked for it. */
export function useLoads(address: string): boolean {
  return useSyncExternalStore(listen, () => !foreign(address) || asked.has(address));
}

/** How many pictures of other hosts the reader asked for. */
export function useAsked(): number {
  return useSyncExternalStore(listen, () => asked.size);
}

/** What {@link parse} writes, in the language of the reader. */
export interface Words {
  load: (host: string) => string;
  broken: string;
  table: string;
}

/**
 * Reads HTML, in which each picture of another host becomes a button, a picture that does not load
 * its description, and each table a box that scrolls by itself. The
 * document that reads it belongs to no window, so it loads nothing. The result is nodes and no
 * HTML again: some browsers write the text of an attribute so that it reads as an element.
 */
export function parse(html: string, words: Words): Node[] {
  const read = new DOMParser().parseFromString(html, "text/html");
  for (const part of read.querySelectorAll("ul, ol, blockquote")) part.setAttribute("dir", "auto");
  for (const image of read.querySelectorAll("img")) {
    const address = image.getAttribute("src") ?? "";
    if (!foreign(address) || asked.has(address)) {
      image.referrerPolicy = "no-referrer";
      image.loading = "lazy";
      image.addEventListener("error", () => {
        const box = document.createElement("span");
        box.className = "nopicture";
        box.dir = "auto";
        box.textContent = image.alt || words.broken;
        box.title = words.broken;
        image.replaceWith(box);
      });
      continue;
    }
    const button = read.createElement("button");
    button.type = "button";
    button.className = "button small foreign";
    button.dataset["address"] = address;
    button.textContent = [words.load(host(address)), image.alt].filter(Boolean).join(": ");
    image.replaceWith(button);
  }
  for (const table of read.querySelectorAll("table")) {
    const box = read.createElement("div");
    box.className = "wide";
    box.tabIndex = 0; // whoever has keys alone scrolls it too
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", words.table);
    table.replaceWith(box);
    box.append(table);
  }
  return [...read.body.childNodes];
}

/** Loads the picture of a button of {@link parse}, and returns whether it was one. */
export function loadedBy(event: { target: EventTarget; preventDefault(): void }): boolean {
  const button = (event.target as HTMLElement).closest<HTMLElement>("button.foreign");
  if (!button) return false;
  event.preventDefault();
  load(button.dataset["address"]!);
  return true;
}
