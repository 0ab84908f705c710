import { expect, test } from "vitest";
import { asksElsewhere, personPath, tweetPath } from "../src/lib/paths";

test("people and posts of other servers have addresses of ids alone, as they have no public page", () => {
  expect(personPath({ id: "u", username: "ann" })).toBe("/@ann");
  expect(personPath({ id: "ap-1", username: "bob@far.example" })).toBe("/users/ap-1");
  const post = { id: "t", visibility: "public" };
  expect(tweetPath({ ...post, author: { username: "ann" } })).toBe("/@ann/t");
  expect(tweetPath({ ...post, author: { username: "bob@far.example" } })).toBe("/tweets/t");
});

test("a handle with a host and an address of the web ask other servers", () => {
  for (const query of [
    "@bob@far.example",
    "bob@far.example",
    " https://far.example/@bob/1 ",
    "http://127.0.0.1:8000/posts/1",
  ])
    expect(asksElsewhere(query)).toBe(true);
  for (const query of ["bob", "@bob", "bob@", "a @b c@d.e", "http://far.example", "https://a b"])
    expect(asksElsewhere(query)).toBe(false);
});
