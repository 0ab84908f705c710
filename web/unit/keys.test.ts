import { expect, test } from "vitest";
import { listKeys } from "../src/features/lists/keys";
import { messageKeys } from "../src/features/messages/keys";
import { peopleKeys } from "../src/features/people/keys";
import { postKeys } from "../src/features/posts/keys";
import { quietKeys } from "../src/features/quiet/keys";
import { readerKeys } from "../src/lib/keys";

type Name = readonly unknown[];
const within = (name: Name, all: Name) => all.every((part, n) => name[n] === part);

test("a change of lists reaches all that was read of them, and nothing else", () => {
  for (const name of [listKeys.mine, listKeys.of("u"), listKeys.one("u", "l")])
    expect(within(name, listKeys.all)).toBe(true);
  expect(within(listKeys.timeline("u", "l"), listKeys.tweets)).toBe(true);
  for (const name of [listKeys.members("l"), listKeys.people("u", "l")])
    expect(within(name, listKeys.allMembers)).toBe(true);
  expect(listKeys.one("a", "b")).not.toEqual(listKeys.one("b", "a"));
  expect(listKeys.members("l")).not.toEqual(listKeys.people("l", "l"));
});

test.each<[Name, Name]>([
  [postKeys.tweet("t"), postKeys.tweets],
  [postKeys.thread("t"), postKeys.threads],
  [postKeys.tab("u", "likes"), postKeys.authored("u")],
  [postKeys.authored("u"), postKeys.allAuthored],
  [postKeys.pins("u"), postKeys.allPins],
  [postKeys.held(true), postKeys.allHeld],
  [postKeys.revisions("t"), postKeys.allRevisions],
  [peopleKeys.user("@ann"), peopleKeys.users],
  [peopleKeys.ties("u"), peopleKeys.allTies],
  [peopleKeys.follow("followers", "u"), peopleKeys.followers],
  [peopleKeys.someHidden, peopleKeys.hidden],
  [peopleKeys.hiddenList, peopleKeys.hidden],
  [peopleKeys.directoryBy("new", undefined), peopleKeys.directory],
  [quietKeys.blockList, quietKeys.blocks],
  [quietKeys.muteList, quietKeys.mutes],
  [messageKeys.list(true), messageKeys.conversations],
  [messageKeys.talks, messageKeys.conversations],
  [messageKeys.conversation("c"), messageKeys.eachConversation],
  [listKeys.about("fire"), listKeys.tag],
])("%j is reached by %j", (name, all) => {
  expect(within(name, all)).toBe(true);
});

test("no feature uses the name of another", async () => {
  const files = import.meta.glob<Record<string, Record<string, unknown>>>(
    "../src/{features/*,lib}/keys.ts",
  );
  const owner = new Map<unknown, string>();
  for (const [path, load] of Object.entries(files))
    for (const key of Object.values(Object.values(await load())[0]!)) {
      const name = (typeof key === "function" ? (key as (one: string) => Name)("x") : key) as Name;
      const first = name[0];
      // People who complete what is typed are found for tweets and for messages.
      if (first === "complete" || first === "x") continue;
      expect(owner.get(first) ?? path, String(first)).toBe(path);
      owner.set(first, path);
    }
  expect(Object.keys(files).length).toBeGreaterThan(12);
  expect(owner.get(readerKeys.me[0])).toBe("../src/lib/keys.ts");
});
