import { expect, test } from "vitest";
import { newer } from "../src/features/home/markers";
import { decode } from "../src/features/media/blurhash";
import { box } from "../src/features/media/media";
import { typedWord } from "../src/features/posts/compose/typed";
import { monthName } from "../src/lib/time";
import { cut, hashtag, mention, tag } from "../src/lib/words";

test("an id is newer by its time, not by the two digits of its author", () => {
  expect(newer("00b", "99a")).toBe(true);
  expect(newer("99a", "00b")).toBe(false);
  expect(newer("00a", "01a")).toBe(false);
});

test("the box of one picture has its shape, within limits, and that of several is 3 to 2", () => {
  const picture = (width: number, height: number) => ({ width, height }) as never;
  expect(box([picture(300, 200)])).toMatchObject({ aspectRatio: 1.5, maxWidth: "51rem" });
  expect(box([picture(100, 900)])).toMatchObject({ aspectRatio: 0.8 });
  expect(box([picture(900, 100)])).toMatchObject({ aspectRatio: 2.2 });
  expect(box([picture(1, 9), picture(9, 1)])).toEqual({ aspectRatio: "3 / 2" });
});

test("a blurhash of one part is one color, and what is none draws nothing", () => {
  // Size 1x1, no other factors, and the average #ff8000 as four digits of base 83.
  const digits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
  let [color, average] = [0xff8000, ""];
  for (let n = 0; n < 4; n++) {
    average = digits[color % 83]! + average;
    color = Math.floor(color / 83);
  }
  const pixels = decode(`00${average}`, 2, 2)!;
  expect(pixels.length).toBe(16);
  for (const at of [0, 12]) {
    expect(Math.abs(pixels[at]! - 255)).toBeLessThanOrEqual(1);
    expect(Math.abs(pixels[at + 1]! - 128)).toBeLessThanOrEqual(1);
    expect(pixels[at + 2]).toBe(0);
    expect(pixels[at + 3]).toBe(255);
  }
  expect(decode(`00${average}0`, 2, 2)).toBeUndefined();
  expect(decode(`00${average.slice(1)}"`, 2, 2)).toBeUndefined();
});

test("tags, hashtags and mentions", () => {
  expect(tag(" #Fire ")).toBe("fire");
  expect(tag("two words")).toBeUndefined();
  expect(tag("a".repeat(51))).toBeUndefined();
  expect(hashtag("#fire!", 0, "")).toBe(5);
  expect(hashtag("a#fire", 1, "a")).toBe(0);
  expect(hashtag("#123", 0, "")).toBe(0);
  expect(mention("@ann_1, hello", 0, "")).toBe(6);
  expect(mention("ben@ann.example", 3, "n")).toBe(0);
  expect(mention("@an", 0, "")).toBe(0);
  expect(mention("@bob@social.example, hello", 0, "")).toBe(19);
  expect(mention("@b@127.0.0.1:8080 hello", 0, "")).toBe(17);
  expect(mention("@ann@host", 0, "")).toBe(0);
});

test("what is typed at the end of a text is completed: a tag, a name, a handle with a host", () => {
  expect(typedWord("hello #火")).toBe("#火");
  expect(typedWord("@an")).toBe("@an");
  expect(typedWord("hello @bob.b@social.ex")).toBe("@bob.b@social.ex");
  expect(typedWord("@bob@127.0.0.1:80")).toBe("@bob@127.0.0.1:80");
  expect(typedWord("@bob@")).toBe("@bob@");
  expect(typedWord("@bob.")).toBe("");
  expect(typedWord("mail bob@social.example")).toBe("");
});

test("a cut text ends between characters as people see them", () => {
  expect(cut("abc", 2)).toBe("ab");
  expect(cut("a👨‍👩‍👧b", 3)).toBe("a");
  expect(cut("a👨‍👩‍👧b", 6)).toBe("a👨‍👩‍👧");
});

test("months are named in the reader's language", () => {
  expect(monthName("2026-11-28T12:00:00Z", "en")).toBe("November 2026");
  expect(monthName("2026-11-28T12:00:00Z", "ja")).toBe("2026年11月");
});
