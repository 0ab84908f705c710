import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { render } from "../src/lib/markdown";
import { cut, fold, tag } from "../src/lib/words";

// The cases that internal/words shares with the API.
const cases = JSON.parse(
  readFileSync(new URL("../../internal/words/testdata/cases.json", import.meta.url), "utf8"),
) as {
  texts: { text: string; tags: string[]; names: string[]; links: string[] }[];
  tags: [string, string | null][];
  same: [string, string][];
  cuts: { text: string; limit: number; want: string }[];
  html: { text: string; html: string }[];
};

const plain = (html: string) =>
  html
    .replaceAll(/<(\w+)( [a-z-]+="[^"]*")+( \/)?>/g, "<$1>")
    .replaceAll(" />", ">")
    .replaceAll(/(<br>|<\/?(?:p|ul|ol|li|blockquote|h\d|pre|hr|table|tr|t[hd])>)\n/g, "$1")
    .trim();
const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

test("words, hashtags, mentions and addresses are what the API finds", () => {
  expect(cases.texts.length).toBeGreaterThan(50);
  for (const { text, tags, names, links } of cases.texts) {
    const found = [...render(text).matchAll(/<a(?: [^>]*)?>(.*?)<\/a>/gs)].map((match) =>
      unescaped(match[1]!),
    );
    const of = (first: string) =>
      found.filter((one) => first.includes(one[0]!)).map((one) => one.slice(1));
    expect.soft([...new Set(of("#＃").map((one) => tag(one)))], `tags of ${text}`).toEqual(tags);
    expect
      .soft([...new Set(of("@＠").map((one) => one.toLowerCase()))], `names in ${text}`)
      .toEqual(names);
    expect
      .soft(
        found.filter((one) => !"#＃@＠".includes(one[0]!)),
        `links in ${text}`,
      )
      .toEqual(links);
  }
  for (const [typed, key] of cases.tags) expect.soft(tag(typed) ?? null, `tag ${typed}`).toBe(key);
  for (const [one, two] of cases.same) expect.soft(fold(one), `${one} and ${two}`).toBe(fold(two));
  for (const { text, limit, want } of cases.cuts)
    expect.soft(cut(text, limit), `${text} cut at ${limit}`).toBe(want);
});

test("Markdown is what the API makes of it", { tag: "@short" }, () => {
  expect(cases.html.length).toBeGreaterThan(30);
  for (const { text, html } of cases.html) expect.soft(plain(render(text)), text).toBe(html);
});
