import { act } from "preact/test-utils";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { useLater } from "../src/lib/later";

test("what is drawn later follows a pause, not each key", () => {
  vi.useFakeTimers();
  const drawn: string[] = [];
  const Page = ({ text }: { text: string }) => (drawn.push(useLater(text)), null);
  const root = createRoot(document.createElement("div"));
  const type = (text: string) => act(() => root.render(createElement(Page, { text })));
  for (const text of ["F", "Fi", "Fir", "Fire"]) {
    void type(text);
    vi.advanceTimersByTime(60);
  }
  expect(new Set(drawn)).toEqual(new Set(["F"]));
  void act(() => void vi.advanceTimersByTime(60));
  expect(drawn.at(-1)).toBe("Fire");
  expect(drawn).not.toContain("Fi");
});
