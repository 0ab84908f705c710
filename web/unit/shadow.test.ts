import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { copied, forgetPatches, patch, shadowed, watchReads } from "../src/lib/shadow";

interface Post {
  id: string;
  liked: boolean;
  likes: number;
}

const liked =
  (on: boolean) =>
  (post: Post): Post =>
    post.liked === on ? post : { ...post, liked: on, likes: post.likes + (on ? 1 : -1) };

// begin has a client of the queries, and reads that end when the test says so.
function begin() {
  forgetPatches();
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  watchReads(queries.getQueryCache());
  const read = (name: string) => {
    let end: (posts: Post[]) => void = () => undefined;
    const done = queries.fetchQuery({
      queryKey: [name],
      queryFn: () => new Promise<Post[]>((resolve) => (end = resolve)),
    });
    return { end: (posts: Post[]) => (end(structuredClone(posts)), done) };
  };
  const shown = (name: string) => shadowed(queries.getQueryData<Post[]>([name])![0]!);
  return { queries, read, shown };
}

const post: Post = { id: "a", liked: false, likes: 1 };

// isPatched tells whether a copy that is older than all would be drawn with a like.
function isPatched(id: string): boolean {
  const old = { ...post, id };
  return shadowed(old) !== old;
}

test("a read that began before the like and ends after it does not take it back", async () => {
  const { read, shown } = begin();
  await read("home").end([post]);
  const slow = read("home");
  patch("a", "like", liked(true));
  expect(shown("home")).toMatchObject({ liked: true, likes: 2 });
  await slow.end([post]);
  expect(shown("home")).toMatchObject({ liked: true, likes: 2 });
});

test("a read that began after the acknowledgement has the last word, also if nothing changed", async () => {
  const { read, shown } = begin();
  await read("home").end([post]);
  patch("a", "like", liked(true));
  await read("home").end([post]); // taken back on another device: equal to what was read before
  expect(shown("home")).toMatchObject({ liked: false, likes: 1 });
  expect(isPatched("a")).toBe(false);
});

test("the patch stays for the lists that were not read anew", async () => {
  const { read, shown } = begin();
  await read("home").end([post]);
  await read("found").end([post]);
  patch("a", "like", liked(true));
  await read("found").end([{ ...post, liked: true, likes: 7 }]);
  expect(shown("found")).toMatchObject({ likes: 7 });
  expect(shown("home")).toMatchObject({ liked: true, likes: 2 });
  expect(isPatched("a")).toBe(true);
});

test("of a list that goes on, the other pages stay as old as they are", async () => {
  const { queries } = begin();
  const ask = (pages: number) =>
    queries.fetchInfiniteQuery({
      queryKey: ["pages"],
      pages,
      initialPageParam: 0,
      queryFn: async ({ pageParam }) => [{ ...post, id: `${pageParam}` }],
      getNextPageParam: (_, all) => all.length,
    });
  await ask(1);
  patch("0", "like", liked(true));
  patch("1", "like", liked(true));
  const { InfiniteQueryObserver } = await import("@tanstack/react-query");
  const list = new InfiniteQueryObserver(queries, {
    queryKey: ["pages"],
    initialPageParam: 0,
    staleTime: Infinity,
    queryFn: async ({ pageParam }) => [{ ...post, id: `${pageParam}` }],
    getNextPageParam: (_: Post[], all: Post[][]) => all.length,
  });
  const stop = list.subscribe(() => undefined);
  await list.fetchNextPage();
  stop();
  const [first, second] = queries.getQueryData<{ pages: Post[][] }>(["pages"])!.pages;
  expect(shadowed(first![0]!)).toMatchObject({ liked: true });
  expect(shadowed(second![0]!)).toMatchObject({ liked: false });
});

test("what is drawn is the same object until something changes, and is not patched twice", () => {
  begin();
  const mine = { ...post };
  patch("a", "reply", (p: Post) => ({ ...p, likes: p.likes + 10 }));
  const now = shadowed(mine)!;
  expect(shadowed(mine)).toBe(now);
  expect(shadowed(now)).toBe(now);
  expect(shadowed(copied(now, { ...now }))!.likes).toBe(11);
  patch("a", "gone", () => null);
  expect(shadowed(mine)).toBeNull();
});

test("there is a bound", () => {
  begin();
  for (let n = 0; n < 600; n++) patch(`${n}`, "like", liked(true));
  expect([99, 100, 599].map((n) => isPatched(`${n}`))).toEqual([false, true, true]);
  expect(shadowed({ ...post, id: "0" })).toMatchObject({ liked: false });
  expect(shadowed({ ...post, id: "599" })).toMatchObject({ liked: true });
});

// Random histories of likes by this page and by others, and of reads of three lists that answer
// with what the server had at some moment while they were under way. The model: a list shows what
// its last ended read said, unless this page's last acknowledged like came after that read began.
test.each(Array.from({ length: 200 }, (_, n) => n + 1))("history %i", async (seed) => {
  let state = seed * 2654435761;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const { read, shown } = begin();
  const lists = ["home", "found", "thread"];
  let clock = 0;
  const server = { liked: false };
  let mine: { on: boolean; at: number } | undefined;
  const has = new Map<string, { liked: boolean; at: number }>();
  const way = new Map<string, { at: number; saw: boolean; one: ReturnType<typeof read> }>();
  for (let step = 0; step < 60; step++) {
    clock++;
    const list = lists[random(3)]!;
    const under = way.get(list);
    switch (random(6)) {
      case 0:
        server.liked = !server.liked;
        mine = { on: server.liked, at: clock };
        patch("a", "like", liked(server.liked));
        break;
      case 1:
        if (random(3) === 0) server.liked = !server.liked; // on another device
        break;
      case 2:
      case 3:
        if (!under) way.set(list, { at: clock, saw: server.liked, one: read(list) });
        else if (random(2)) under.saw = server.liked; // the server read it later
        break;
      default:
        if (!under) break;
        way.delete(list);
        await under.one.end([{ id: "a", liked: under.saw, likes: Number(under.saw) }]);
        has.set(list, { liked: under.saw, at: under.at });
    }
    for (const [name, { liked, at }] of has) {
      const wanted = mine && at < mine.at ? mine.on : liked;
      expect(shown(name), `seed ${seed}, step ${step}, ${name}`).toMatchObject({
        liked: wanted,
        likes: Number(wanted),
      });
    }
  }
});
