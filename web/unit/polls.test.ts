import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queries, type Tweet } from "../src/lib/api";
import { readTweet } from "../src/features/posts/tweets";
import { vote } from "../src/features/posts/votes";
import { postKeys } from "../src/features/posts/keys";
import { forgetPatches, shadowed } from "../src/lib/shadow";

// A visitor's page without IndexedDB. The API is what fetch is: it answers with what it has when a
// request comes, at the moment that the test says.

type Poll = NonNullable<Tweet["poll"]>;
let poll: Poll; // that the API has
let held: (() => void) | undefined; // ends a read that is held
let hold: boolean;

const withVotes = (red: number, gold: number, voted?: number): Poll =>
  ({
    options: [
      { text: "Red", votes: red },
      { text: "Gold", votes: gold },
    ],
    closed: false,
    ...(voted ? { voted } : {}),
  }) as unknown as Poll;

async function api(request: Request | string): Promise<Response> {
  const json = (body: unknown) =>
    new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } });
  if (typeof request === "string") return json({});
  if (request.method === "PUT") return json((poll = withVotes(1, 2, 2)));
  const answer = json({ id: "p", poll, snippet: "Which?", rootId: "p" });
  if (hold) await new Promise<void>((end) => (held = end));
  return answer;
}

beforeEach(() => {
  vi.stubGlobal("fetch", vi.fn(api));
  vi.stubGlobal("indexedDB", {
    open: () => {
      const request = { error: { name: "AbortError" }, onerror: () => undefined };
      queueMicrotask(() => request.onerror());
      return request;
    },
  });
  forgetPatches();
  queries.clear();
  [poll, hold, held] = [withVotes(1, 1), false, undefined];
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const shown = () => {
  const tweet = queries.getQueryData<Tweet>(postKeys.poll("p"));
  return tweet && shadowed(tweet)?.poll;
};
const votes = () => shown()?.options.map(({ votes }) => votes);

test("whoever comes back to a thread sees the counts of now, and not those of the last visit", async () => {
  await readTweet("p");
  expect(votes()).toEqual([1, 1]);
  poll = withVotes(7, 3);
  await readTweet("p");
  expect(votes()).toEqual([7, 3]);
});

test("a read that was under way while the reader voted does not take the vote back", async () => {
  vi.useFakeTimers(); // the counts are read again later
  await readTweet("p");
  hold = true;
  const slow = readTweet("p");
  await vi.waitFor(() => expect(held).toBeDefined());
  hold = false;
  await vote({ id: "p", poll } as Tweet, 2);
  expect([votes(), shown()?.voted]).toEqual([[1, 2], 2]);
  held!();
  await slow;
  expect([votes(), shown()?.voted]).toEqual([[1, 2], 2]);
});

test("of two reads the one that began last is shown, whichever ends first", async () => {
  hold = true;
  const slow = readTweet("p");
  await vi.waitFor(() => expect(held).toBeDefined());
  const end = held!;
  hold = false;
  poll = withVotes(7, 3);
  await readTweet("p");
  end();
  await slow;
  expect(votes()).toEqual([7, 3]);
});
