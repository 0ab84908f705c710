import { act } from "preact/test-utils";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { Html } from "../src/ui/Html";

const text = (html: string) => createElement(Html, { html, onClick: () => undefined });

test("a list that measures a row by its ref finds the text in it", async () => {
  const seen: (string | null)[] = [];
  const measure = (row: HTMLElement | null) => void (row && seen.push(row.textContent));
  const root = createRoot(document.createElement("div"));
  const row = createElement("div", { ref: measure }, text("<p>Fire <b>above</b></p>"));
  await act(async () => root.render(row));
  expect(seen).toEqual(["Fire above"]);
});

test("a text that changes is drawn anew, and one that does not is left alone", async () => {
  const box = document.createElement("div");
  const root = createRoot(box);
  await act(async () => root.render(text("<p>One</p>")));
  const first = box.querySelector("p");
  await act(async () => root.render(text("<p>One</p>")));
  expect(box.querySelector("p")).toBe(first);
  await act(async () => root.render(text("<p>Two</p>")));
  expect(box.textContent).toBe("Two");
});
