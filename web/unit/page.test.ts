import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from "vitest";
import { page } from "../src/ui/page";

// A page whose scripts come when the test says so.

let online: boolean;
let loads: number;
let onLine: MockInstance<() => boolean>;

beforeEach(() => {
  vi.useFakeTimers();
  onLine = vi.spyOn(navigator, "onLine", "get").mockImplementation(() => online);
  [online, loads] = [true, 0];
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const Here = () => createElement("p", null, "The page");

/** Opens a page whose scripts fail so many times. */
async function open(fails: number): Promise<HTMLElement> {
  const Page = page(async () => {
    if (loads++ < fails) throw new TypeError("Failed to fetch dynamically imported module");
    return { default: Here };
  });
  const root = document.createElement("div");
  await act(async () => createRoot(root).render(createElement(Page)));
  await act(async () => undefined); // what came instead is drawn
  return root;
}

test("a page asks again for scripts that do not come although there is a network", async () => {
  const root = await open(2);
  expect(root.textContent).not.toContain("The page");
  await act(async () => void (await vi.advanceTimersByTimeAsync(2500)));
  expect(root.textContent).toContain("The page");
  expect(loads).toBe(3);
});

test("without a network a page says at once that it waits, and opens when there is one", async () => {
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  online = false;
  const root = await open(1);
  expect(root.querySelector("h1")).not.toBeNull();
  expect(loads).toBe(1);
  expect(reload).not.toHaveBeenCalled();
  online = true;
  dispatchEvent(new Event("online"));
  expect(reload).toHaveBeenCalledOnce();
});

test("a network that is back before the page could say so is not missed", async () => {
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  let looks = 0;
  onLine.mockImplementation(() => looks++ > 0);
  await open(1);
  expect(reload).toHaveBeenCalledOnce();
});
