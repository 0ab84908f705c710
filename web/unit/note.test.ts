import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "preact/test-utils";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../src/lib/api";
import { PersonNote } from "../src/features/people/PersonNote";

vi.mock("../src/lib/firebase", () => ({
  bearer: async () => "token",
  appCheckToken: async () => undefined,
  ended: async () => undefined,
}));

afterEach(() => {
  vi.unstubAllGlobals();
  queries.clear();
});

test("a profile has the place of the note before the note is read", async () => {
  let answer!: () => void;
  const answered = new Promise<void>((now) => (answer = now));
  vi.stubGlobal("fetch", async () => {
    await answered;
    return new Response(JSON.stringify({ text: "" }), {
      headers: { "Content-Type": "application/json" },
    });
  });
  const root = document.createElement("div");
  const note = createElement(PersonNote, { user: { id: "ben", nickname: "Ben" } });
  await act(async () =>
    createRoot(root).render(createElement(QueryClientProvider, { client: queries }, note)),
  );
  expect(root.querySelectorAll(".addnote")).toHaveLength(1);
  expect(root.querySelector("button")).toBeNull();
  answer();
  await vi.waitFor(() => expect(root.querySelector("button.addnote")).not.toBeNull());
  expect(root.querySelectorAll(".addnote")).toHaveLength(1);
});
