import { beforeEach, expect, test, vi } from "vitest";
import { free } from "../src/features/account/switching";
import { apps, choose, parse, put, type Entry } from "../src/lib/accounts";
import { inside, noteReturn, place, sessionEnded, takeReturn } from "../src/lib/returning";

const one = (n: number, uid: string, more: Partial<Entry> = {}): Entry => ({
  app: apps[n]!,
  uid,
  username: uid,
  nickname: uid,
  avatar: "",
  ...more,
});
const [ann, ben] = [one(0, "ann"), one(1, "ben")];

test("a list that another version or hand wrote is read as far as it makes sense", () => {
  expect(parse(null)).toEqual([]);
  expect(parse("{")).toEqual([]);
  expect(parse('{"app":1}')).toEqual([]);
  const odd = [ann, { ...ben, app: "evil" }, { ...ben, uid: 1 }, one(0, "carol"), ben];
  expect(parse(JSON.stringify(odd))).toEqual([ann, ben]);
});

test("a tab keeps its account; a new one takes the account that was used last", () => {
  expect(choose(null, [], "/")).toBe(apps[0]);
  expect(choose(null, [ben, ann], "/")).toBe(ben.app);
  expect(choose(ann.app, [ben, ann], "/messages")).toBe(ann.app);
  expect(choose(null, [{ ...ben, ended: true }, ann], "/")).toBe(ann.app);
  expect(choose(null, [{ ...ben, ended: true }], "/")).toBe(ben.app);
  // One whose session ended stays, to be signed in to again.
  expect(choose(ben.app, [{ ...ben, ended: true }, ann], "/")).toBe(ben.app);
  // An app without an account is for the door alone.
  expect(choose(apps[2]!, [ann], "/sign-in")).toBe(apps[2]);
  expect(choose(apps[2]!, [ann], "/sign-up")).toBe(apps[2]);
  expect(choose(apps[2]!, [ann], "/shop")).toBe(ann.app);
  expect(choose("evil", [], "/sign-in")).toBe(apps[0]);
});

test("a browser has five accounts at most, each under an app of its own", () => {
  let list: Entry[] = [];
  for (const uid of ["a", "b", "c", "d", "e"])
    list = put(list, { ...one(0, uid), app: free(list)! });
  expect(new Set(list.map(({ app }) => app)).size).toBe(5);
  expect(list[0]!.uid).toBe("e");
  expect(free(list)).toBeUndefined();
  expect(free(list.filter(({ uid }) => uid !== "b"))).toBe(apps[1]);
});

test("an account that is signed in again has one place", () => {
  const ended = { ...ben, ended: true } as const;
  expect(put([ended, ann], ben)).toEqual([ben, ann]);
  expect(put([ann, ended], one(2, "ben"))).toEqual([one(2, "ben"), ann]);
  expect(put([ann, ended], one(1, "carol"))).toEqual([one(1, "carol"), ann]);
});

test("a page that the browser's cache brings back after a switch is loaded anew", () => {
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  const back = () => dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  sessionStorage.setItem("hibana.account", apps[0]!);
  back();
  expect(reload).not.toHaveBeenCalled();
  sessionStorage.setItem("hibana.account", apps[1]!);
  back();
  expect(reload).toHaveBeenCalledOnce();
});

test("nobody is led to another origin after the sign-in", () => {
  for (const path of ["/", "/messages/1?a=b", "/@ann/123#top", "/cart"])
    expect(inside(path)).toBe(path);
  for (const path of [
    "//evil.example/x",
    "/\\evil.example",
    "/\t/evil.example",
    "/\n//evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "evil",
    "",
    "/sign-in",
    "/sign-up?invitation=1",
    undefined,
    { toString: () => "/" },
  ])
    expect(inside(path), JSON.stringify(path)).toBeUndefined();
});

beforeEach(() => (sessionStorage.clear(), history.replaceState(null, "", "/messages/1?a=b")));

test("whoever signs in again comes back to the page, and nobody else does", () => {
  noteReturn("ann");
  expect(sessionEnded()).toBe("ann");
  expect(takeReturn("ben")).toBeUndefined();
  noteReturn("ann");
  expect(takeReturn("ann")).toBe("/messages/1?a=b");
  expect(takeReturn("ann")).toBeUndefined();
  noteReturn(); // a visitor, who has no session that could end
  expect(sessionEnded()).toBeUndefined();
  expect(takeReturn("ben")).toBe("/messages/1?a=b");
});

test("a page of an hour ago, and what is no note, leads home", () => {
  vi.useFakeTimers();
  try {
    noteReturn("ann");
    vi.advanceTimersByTime(61 * 60_000);
    expect(sessionEnded()).toBeUndefined();
    expect(takeReturn("ann")).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
  sessionStorage.setItem(place, JSON.stringify({ path: "//evil.example", at: Date.now() }));
  expect(takeReturn("ann")).toBeUndefined();
  sessionStorage.setItem(place, "{");
  expect(takeReturn("ann")).toBeUndefined();
});
