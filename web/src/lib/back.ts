import { useEffect, useEffectEvent } from "react";

// A window above the page has an entry of its own in the history, with the address of the page, so
// that the back button closes it. The entry's state names the window.
interface Entry {
  window?: number;
}

interface Opened {
  id: number;
  close: () => void;
}

let last = Date.now(); // after a reload no entry has the name of another window
const opened: Opened[] = []; // the topmost last

const here = () => (history.state as Entry | null)?.window;
const isOpen = (id: number | undefined) => opened.some((one) => one.id === id);

// Whoever follows a link in a window leaves the window and the page: the entry is the next page's.
const push = history.pushState.bind(history);
history.pushState = function (state: unknown, ...more: [string, (string | URL | null)?]) {
  if (here() === undefined) return push(state, ...more);
  history.replaceState(state, ...more);
  [...opened].reverse().forEach((one) => one.close());
};

addEventListener("popstate", () => {
  const top = opened.at(-1);
  if (top && here() !== top.id) top.close();
});

/** Lets the back button close a window above the page, for as long as the part is there. */
export function useBack(close: () => void): void {
  const closes = useEffectEvent(close);
  useEffect(() => {
    const mine: Opened = { id: ++last, close: () => closes() };
    // A window that follows another one takes its entry.
    if (here() !== undefined && !isOpen(here())) history.replaceState({ window: mine.id }, "");
    else push({ window: mine.id }, "");
    opened.push(mine);
    return () => {
      opened.splice(opened.indexOf(mine), 1);
      // After what closed the window: that may open another window or page, which take the entry.
      setTimeout(() => here() === mine.id && history.back());
    };
  }, []);
}

/** Goes back to the page before, or to the first page of the client if there is none. */
export function goBack(): void {
  if (history.length > 1) history.back();
  else location.assign("/");
}
