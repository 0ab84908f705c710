import { body, hibana, type Schemas, type Tweet } from "../../lib/api";

type Item = Schemas["BatchItem"];

// Whatever is asked for within a moment is asked for in one request, for as many ids as the API takes
// with their polls.
const most = 20;
const moment = 20; // milliseconds

interface Batch {
  ids: Set<string>;
  polls: boolean;
  answer: Promise<Map<string, Item>>;
}
let open: Batch | undefined;

async function read({ ids, polls }: Batch): Promise<Map<string, Item>> {
  const query = { ids: [...ids], format: "html" as const, ...(polls && { polls }) };
  const { items } = await body(hibana.GET("/v1/tweets:batchGet", { params: { query } }));
  return new Map(items.map((item) => [item.id, item]));
}

/** Reads a tweet together with others that are asked for in the same moment. */
export async function readOne(id: string, poll = false): Promise<Item> {
  if (!open || (open.ids.size >= most && !open.ids.has(id))) {
    const batch: Batch = {
      ids: new Set(),
      polls: false,
      answer: Promise.resolve(new Map<string, Item>()),
    };
    batch.answer = new Promise((due) => setTimeout(due, moment)).then(() => {
      if (open === batch) open = undefined;
      return read(batch);
    });
    open = batch;
  }
  open.ids.add(id);
  open.polls ||= poll;
  return (await open.answer).get(id) ?? { id, status: "unknown" };
}

/** Reads a tweet with what the reader chose in its poll, and the counts that the reader may see. */
export const readPoll = async (tweet: Tweet): Promise<Tweet> =>
  (await readOne(tweet.id, true)).tweet ?? tweet;
