import { expect, test } from "vitest";
import { listKeys } from "../src/features/lists/keys";

test("a change of lists reaches all that was read of them, and nothing else", () => {
  const within = (name: readonly unknown[], all: readonly unknown[]) =>
    all.every((part, n) => name[n] === part);
  for (const name of [listKeys.mine, listKeys.of("u"), listKeys.one("u", "l")])
    expect(within(name, listKeys.all)).toBe(true);
  expect(within(listKeys.timeline("u", "l"), listKeys.tweets)).toBe(true);
  for (const name of [listKeys.members("l"), listKeys.people("u", "l")])
    expect(within(name, listKeys.allMembers)).toBe(true);
  expect(listKeys.one("a", "b")).not.toEqual(listKeys.one("b", "a"));
  expect(listKeys.members("l")).not.toEqual(listKeys.people("l", "l"));
});
