// The client against an API that runs: HIBANA_URL is its address, HIBANA_TOKENS has the ID tokens
// of two accounts without profiles.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  body,
  createClient,
  HibanaError,
  items,
  newer,
  posted,
  type Options,
} from "../src/index.js";
import { unreadIn } from "../src/listen.js";
import { ready, upload, UploadError } from "../src/upload.js";

const baseUrl = process.env["HIBANA_URL"];
const [ann, bob] = (process.env["HIBANA_TOKENS"] ?? "").split(",");
assert.ok(baseUrl && ann && bob, "HIBANA_URL and HIBANA_TOKENS are not set");

const as = (token?: string, more: Partial<Options> = {}) =>
  createClient({ baseUrl, token: async () => token, patience: 20, ...more });

const refused = (status: number, code: string) => (e: unknown) =>
  e instanceof HibanaError &&
  e.status === status &&
  e.code === code &&
  e.problem?.status === status;

test("people talk", async () => {
  const one = as(ann),
    two = as(bob);
  const me = await body(one.POST("/v1/users", { body: { username: "ts_ann", nickname: "Ann" } }));
  assert.ok("id" in me); // a sign-up that waits for approval has none
  await body(two.POST("/v1/users", { body: { username: "ts_bob" } }));
  await two.PUT("/v1/users/{uid}/follow", { params: { path: { uid: me.id } } });
  const tweet = posted(
    await body(one.POST("/v1/tweets", { body: { content: "Sparks fly #hibana" } })),
  );
  assert.deepEqual(tweet.tags, ["hibana"]);
  await two.PUT("/v1/tweets/{id}/like", { params: { path: { id: tweet.id } } });
  assert.equal(
    (await body(two.GET("/v1/tweets/{id}", { params: { path: { id: tweet.id } } }))).liked,
    true,
  );

  for (let i = 0; i < 6; i++) {
    await one.POST("/v1/tweets", { body: { content: `reply ${i}`, replyTo: tweet.id } });
  }
  const replies: string[] = [];
  for await (const r of items((pageToken) =>
    body(
      as().GET("/v1/tweets/{id}/replies", {
        params: { path: { id: tweet.id }, query: { pageSize: 2, pageToken } },
      }),
    ),
  )) {
    replies.push(r.content ?? "");
  }
  assert.deepEqual(
    replies,
    [0, 1, 2, 3, 4, 5].map((i) => `reply ${i}`),
  );
});

// Bob follows Ann since the first test.
test("a home timeline is read on from where it was left", async () => {
  const asked: URL[] = [];
  const hibana = as(bob, {
    fetch: (request) => (asked.push(new URL(request.url)), fetch(request)),
  });
  const read = () => body(hibana.GET("/v1/timeline", { params: { query: { pageSize: 1 } } }));
  const post = async (content: string) =>
    (await body(as(ann).POST("/v1/tweets", { body: { content } }))).id;
  const until = async (id: string) => {
    for (let n = 0; (await read()).items[0]?.id !== id; n++) {
      assert.ok(n < 200, `${id} does not come home`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const before = await post("before");
  await until(before);
  const { newest } = await read();
  assert.deepEqual(await newer(hibana, newest), { items: [], newest, nextPageToken: "" });

  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.unshift(await post(`news ${n}`));
  await until(ids[0]!);
  const all = await newer(hibana, newest);
  assert.deepEqual([all.items.map((t) => t.id), all.nextPageToken], [ids, ""]);
  assert.equal((await newer(hibana, all.newest)).items.length, 0);
  // In pages: what was not read is said, and is where the timeline continues.
  asked.length = 0;
  const some = await newer(hibana, newest, { pages: 2, pageSize: 1 });
  assert.deepEqual(
    some.items.map((t) => t.id),
    ids.slice(0, 2),
  );
  assert.deepEqual(
    asked.map((url) => url.searchParams.get("after")),
    [newest, newest],
  );
  assert.equal((await newer(hibana, some.newest)).items.length, 0);
  const rest = await body(
    hibana.GET("/v1/timeline", { params: { query: { pageToken: some.nextPageToken } } }),
  );
  assert.deepEqual(
    rest.items.slice(0, 2).map((t) => t.id),
    [ids[2], before],
  );
});

test("failures have their code", async () => {
  await assert.rejects(
    as().GET("/v1/users/{uid}", { params: { path: { uid: "nobody" } } }),
    refused(404, "user_not_found"),
  );
  await assert.rejects(
    as().POST("/v1/tweets", { body: { content: "x" } }),
    refused(401, "unauthenticated"),
  );
  await assert.rejects(
    as(ann).POST("/v1/tweets", { body: { content: "x".repeat(70_000) } }),
    refused(400, "invalid_request"),
  );
});

test("a tweet whose answer is lost is posted once", async () => {
  let lost = 0;
  const hibana = as(ann, {
    fetch: async (request) => {
      const response = await fetch(request);
      if (request.method === "POST" && lost++ === 0) {
        throw new TypeError("the connection broke");
      }
      return response;
    },
  });
  const tweet = posted(await body(hibana.POST("/v1/tweets", { body: { content: "only once" } })));
  assert.equal(lost, 2);
  const listed = await body(
    as().GET("/v1/users/{uid}", { params: { path: { uid: tweet.authorId } } }),
  );
  const found: string[] = [];
  for await (const t of items((pageToken) =>
    body(as().GET("/v1/tweets", { params: { query: { pageToken } } })),
  )) {
    if (t.authorId === listed.id && t.content === "only once") found.push(t.id);
  }
  assert.deepEqual(found, [tweet.id]);
});

test("an expired token is renewed once, and a full service is asked again", async () => {
  const asked: boolean[] = [];
  const statuses: number[] = [401, 503, 429, 200];
  const seen: (string | null)[] = [];
  const hibana = createClient({
    baseUrl,
    patience: 20,
    token: async (fresh) => (asked.push(fresh), fresh ? "new" : "old"),
    fetch: async (request) => {
      seen.push(request.headers.get("Authorization"));
      return new Response("{}", {
        status: statuses.shift()!,
        headers: { "Content-Type": "application/json" },
      });
    },
  });
  await hibana.GET("/v1/users/me");
  assert.deepEqual(asked, [false, true, true, true]);
  assert.deepEqual(seen, ["Bearer old", "Bearer new", "Bearer new", "Bearer new"]);
});

test("what may have happened is not sent again", async () => {
  let sent = 0;
  const hibana = as(ann, { fetch: async () => (sent++, new Response("busy", { status: 503 })) });
  await assert.rejects(
    hibana.POST("/v1/reports", { body: { userId: "x", reason: "spam" } as never }),
    (e) => e instanceof HibanaError && e.status === 503 && e.code === "unreadable",
  );
  assert.equal(sent, 1);
});

test("expired notifications are not unread", () => {
  const at = Date.parse("2026-12-17T12:00:00Z");
  const one = (isRead: boolean, seconds: number) => ({
    isRead,
    expireAt: { toMillis: () => at + 1000 * seconds },
  });
  const list = {
    notifications: { a: one(false, 1), b: one(true, 1), c: one(false, -1) },
    days: {
      "2026-11-13": { unread: 10 },
      "2026-11-16": { unread: 20 },
      "2026-12-01": { unread: -5 },
      "2026-12-02": {},
    },
  };
  assert.equal(unreadIn(list, at), 21);
  assert.equal(unreadIn({}, at), 0);
});

// The smallest PNG: one pixel.
const pixel = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
    "base64",
  ),
);

test("a picture is uploaded over a bad connection, and posted", async () => {
  const one = as(ann);
  const progress: number[] = [];
  let puts = 0;
  const media = await upload(one, new Blob([pixel], { type: "image/png" }), {
    alt: "A pixel",
    patience: 20,
    progress: (sent) => progress.push(sent),
    fetch: async (url, init) => {
      if (init.method === "PUT" && ++puts === 1) {
        throw new TypeError("the connection broke");
      }
      return fetch(url, init);
    },
  });
  assert.equal(media.state, "ready");
  assert.equal(media.alt, "A pixel");
  assert.deepEqual([progress[0], progress.at(-1)], [0, pixel.length]);
  assert.ok(puts >= 3, "the offset is asked for, and the chunk sent again");
  const tweet = posted(await body(one.POST("/v1/tweets", { body: { media: [media.id] } })));
  assert.equal(tweet.media?.[0]?.alt, "A pixel");
});

test("a large file goes in chunks, and goes on where it was", async () => {
  const large = new Blob([pixel, new Uint8Array(600 * 1024)], { type: "image/png" });
  const ranges: string[] = [];
  let lost = false;
  const media = await upload(as(ann), large, {
    chunk: 256 * 1024,
    patience: 20,
    fetch: async (url, init) => {
      const range = new Headers(init.headers).get("Content-Range");
      if (range) ranges.push(range);
      const response = await fetch(url, init);
      if (range?.startsWith("bytes 262144-") && !lost) {
        lost = true; // it came, and its answer did not
        throw new TypeError("the answer was lost");
      }
      return response;
    },
  });
  assert.equal(media.width, 1); // what follows the picture is not part of it
  assert.ok(ranges.includes(`bytes */${large.size}`));
  assert.equal(ranges.filter((r) => r.startsWith("bytes 262144-")).length, 1);
});

test("a storage that takes nothing more is a failure", async () => {
  let puts = 0;
  await assert.rejects(
    upload(as(ann), new Blob([pixel], { type: "image/png" }), {
      attempts: 3,
      patience: 1,
      fetch: async (_, init) => {
        if (init.method !== "PUT") {
          return new Response(null, { status: 201, headers: { Location: "https://storage" } });
        }
        return new Response(null, { status: ++puts > 50 ? 400 : 308 });
      },
    }),
    (e) => e instanceof UploadError && e.status === 308,
  );
  assert.equal(puts, 3);
});

test("a file that nobody looks at ends the waiting", async () => {
  let asked = 0;
  const hibana = as(ann, {
    fetch: async () =>
      Response.json({ id: "a", state: ++asked > 50 ? "ready" : "uploading" }, { status: 200 }),
  });
  await assert.rejects(
    ready(hibana, "a", { patience: 1, timeout: 0 }),
    (e) => e instanceof UploadError && e.status === 0,
  );
  assert.equal(asked, 1);
});

test("an upload ends when it is cancelled, and when the storage refuses it", async () => {
  const file = new Blob([pixel], { type: "image/png" });
  const cancelled = new AbortController();
  await assert.rejects(
    upload(as(ann), file, {
      signal: cancelled.signal,
      fetch: (url, init) => {
        cancelled.abort(new Error("never mind"));
        return fetch(url, init);
      },
    }),
    /never mind/,
  );
  await assert.rejects(
    upload(as(ann), file, { fetch: async () => new Response(null, { status: 403 }) }),
    (e) => e instanceof UploadError && e.status === 403,
  );
  await assert.rejects(
    upload(as(ann), new Blob(["spam"], { type: "image/png" }), { patience: 50 }),
    (e) => e instanceof HibanaError && e.code === "media_type_unsupported",
  );
});

test("each attempt has an App Check token, where there is one", async () => {
  const sent: (string | null)[] = [];
  let n = 0;
  const ask = (appCheck?: Options["appCheck"]) => {
    sent.length = n = 0;
    return as(undefined, {
      ...(appCheck && { appCheck }),
      fetch: async (request) => {
        sent.push(request.headers.get("X-Firebase-AppCheck"));
        const busy = sent.length === 1;
        return busy ? new Response("{}", { status: 503 }) : fetch(request);
      },
    }).GET("/v1/instance", {});
  };
  await ask(async () => `proof ${++n}`);
  assert.deepEqual(sent, ["proof 1", "proof 2"]);
  await ask(() => Promise.reject(new Error("no network")));
  assert.deepEqual(sent, [null, null]);
  await ask();
  assert.deepEqual(sent, [null, null]);
});
