import { useLayoutEffect, useRef } from "react";
import { overlaid } from "./overlays";

export type Keys = Record<string, (event: KeyboardEvent) => void>;

// The newest set of keys is asked first, so that a list's keys stand before those of the page.
const sets: { current: Keys }[] = [];
let prefix = "";
let forget: ReturnType<typeof setTimeout> | undefined;

const place = "hibana.keys";

/** Tells whether single keys do something: a reader who dictates, or whose hands slip, can switch them off. */
export const keysOn = () => localStorage.getItem(place) !== "off";

/** Switches single keys on or off in this browser. */
export function switchKeys(on: boolean): void {
  if (on) localStorage.removeItem(place);
  else localStorage.setItem(place, "off");
}

function press(event: KeyboardEvent) {
  if (!keysOn()) return;
  const target = event.target as HTMLElement;
  if (event.repeat && event.key !== "j" && event.key !== "k") return;
  if (overlaid() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
    return;
  // What is typed in the picker of emoji comes from its shadow tree, with the picker as the target.
  if (
    target.closest(
      "input, textarea, select, [contenteditable], [role=menu], [role=dialog], emoji-picker",
    )
  )
    return;
  const key = prefix + event.key;
  clearTimeout(forget);
  prefix = "";
  for (let i = sets.length - 1; i >= 0; i--) {
    const act = sets[i]!.current[key];
    if (act) {
      event.preventDefault();
      act(event);
      return;
    }
  }
  if (event.key === "g") {
    prefix = "g ";
    forget = setTimeout(() => (prefix = ""), 1500);
  }
}

/** Makes keys do something while the part is on the page. "g h" is g and then h. */
export function useKeys(keys: Keys): void {
  const set = useRef(keys);
  set.current = keys;
  // Before the page is painted: whoever sees it can press its keys.
  useLayoutEffect(() => {
    if (sets.length === 0) addEventListener("keydown", press);
    sets.push(set);
    return () => {
      sets.splice(sets.indexOf(set), 1);
      if (sets.length === 0) removeEventListener("keydown", press);
    };
  }, []);
}
