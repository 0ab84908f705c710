import { act } from "preact/test-utils";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, test } from "vitest";
import { blank, useDraft } from "../src/features/posts/drafts";

beforeEach(() => localStorage.clear());

// open shows a page that writes the draft of a name, and returns what it has.
async function open(name: string) {
  let now!: ReturnType<typeof useDraft>;
  const Page = () => {
    now = useDraft(name, blank);
    return null;
  };
  const root = createRoot(document.createElement("div"));
  await act(async () => root.render(createElement(Page)));
  return {
    draft: () => now[0],
    edit: (change: Parameters<(typeof now)[1]>[0]) => act(async () => now[1](change)),
    drop: (sent?: Promise<unknown>) => act(async () => now[2](sent)),
    leave: () => act(async () => root.unmount()),
  };
}

test("a draft survives a reload with its key, under its name alone", async () => {
  const page = await open("ann");
  await page.edit({ content: "Fire" });
  const { key } = page.draft();
  await page.leave();
  expect((await open("ann")).draft()).toMatchObject({ content: "Fire", key });
  expect((await open("ben")).draft().content).toBe("");
});

test("a text that changes gets another key", async () => {
  const page = await open("ann");
  await page.edit({ content: "Fire" });
  const { key } = page.draft();
  await page.edit({ content: "Fires" });
  expect(page.draft().key).not.toBe(key);
});

test("a dropped or empty draft is gone", async () => {
  const page = await open("ann");
  await page.edit({ content: "Fire" });
  await page.edit({ content: "  " });
  expect(localStorage.length).toBe(0);
  await page.edit({ content: "Fire" });
  await page.drop();
  await page.leave();
  expect((await open("ann")).draft().content).toBe("");
});

test("what is being sent has left the page, and this browser when it was sent; what is typed meanwhile stays", async () => {
  const page = await open("ann");
  await page.edit({ content: "Fire" });
  let sent!: () => void;
  await page.drop(new Promise<void>((done) => (sent = done)));
  expect(page.draft().content).toBe("");
  expect((await open("ann")).draft().content).toBe("Fire"); // a page that ended before
  await page.edit({ content: "Works" });
  await act(async () => sent());
  await page.leave();
  expect((await open("ann")).draft().content).toBe("Works");
  expect(localStorage.length).toBe(1);
  const again = await open("ann");
  await again.drop();
  expect(localStorage.length).toBe(0);
});

test("what was not sent stays in this browser", async () => {
  const page = await open("ann");
  await page.edit({ content: "Fire" });
  await page.drop(Promise.reject(new Error("no network")));
  await page.leave();
  expect((await open("ann")).draft().content).toBe("Fire");
});

test("a draft from before there were policies stays closed, and a broken one is a blank", async () => {
  localStorage.setItem(
    "hibana.draft.ann",
    JSON.stringify({ content: "Old", allowReplies: false, allowQuotes: false }),
  );
  expect((await open("ann")).draft()).toMatchObject({
    content: "Old",
    replyPolicy: "nobody",
    quotePolicy: "nobody",
  });
  localStorage.setItem("hibana.draft.ben", "{");
  expect((await open("ben")).draft().content).toBe("");
});
