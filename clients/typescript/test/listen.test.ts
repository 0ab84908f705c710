import assert from "node:assert/strict";
import { test } from "node:test";
import { listenMessages, type LiveMessage, type MessagePart } from "../src/listen.js";

const message = (text: string): LiveMessage => ({
  authorId: "ann",
  text,
  at: { toMillis: () => 0 },
});

test("a change of the part before the newest is heard, as when a message is taken back", () => {
  const heard: string[] = [];
  const listeners = new Map<string, (part: MessagePart) => void>();
  const stop = listenMessages(
    {
      db: undefined,
      doc: (_, path) => path as unknown,
      onSnapshot: (path: string, _, next) => {
        listeners.set(path, (part) => next({ data: () => part }));
        return () => listeners.delete(path);
      },
    },
    "parts/1",
    (messages, path) =>
      heard.push(
        `${path} ${Object.values(messages)
          .map(({ text }) => text)
          .join()}`,
      ),
  );
  const says = (path: string, messages: string[], next?: string) =>
    listeners.get(path)?.({
      messages: Object.fromEntries(messages.map((text, n) => [n, message(text)])),
      ...(next ? { next } : {}),
    });
  says("parts/1", ["one", "two"], "2");
  says("parts/2", ["three"]);
  says("parts/1", ["one", ""], "2");
  assert.deepEqual(heard, ["parts/1 one,two", "parts/2 three", "parts/1 one,"]);

  // Two documents are listened to, and no more.
  says("parts/2", ["three"], "3");
  says("parts/3", ["four"], "4");
  assert.deepEqual([...listeners.keys()], ["parts/3", "parts/4"]);
  stop();
  assert.equal(listeners.size, 0);
});
