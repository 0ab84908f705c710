import { createElement, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import "../src/lib/effects";

test("an effect runs before the next event", async () => {
  let ran = false;
  const Page = () => {
    useEffect(() => void (ran = true), []);
    return null;
  };
  createRoot(document.createElement("div")).render(createElement(Page));
  await new Promise((done) => setTimeout(done));
  expect(ran).toBe(true);
});
