import { expect, test } from "vitest";
import { excerpt, plain } from "../src/lib/excerpts";

test("the text of HTML has lines where it has blocks, and no marks", () => {
  expect(plain(undefined)).toBe("");
  expect(plain("<p>A <strong>bold</strong> <em>word</em> &amp; a <code>*</code></p>")).toBe(
    "A bold word & a *",
  );
  expect(plain("<p>one<br>two</p><p>three</p>")).toBe("one\ntwo\nthree");
  expect(plain("<ul>\n<li>one</li>\n<li><p>two</p></li>\n</ul>")).toBe("one\ntwo");
  expect(
    plain(
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>",
    ),
  ).toBe("a b\nc");
  expect(
    plain('<p>by <a href="/@ann">@ann</a> <img alt="x" src="https://example.com/a"></p>'),
  ).toBe("by @ann");
});

test("an excerpt has no Markdown, and nothing of what stands behind a warning", () => {
  const snippet = "A **bold** [word](https://example.com)";
  const snippetHtml = "<p>A <strong>bold</strong> <a>word</a></p>";
  expect(excerpt({ snippet, snippetHtml })).toBe("A bold word");
  expect(excerpt({ snippet, snippetHtml, summary: "Fire" })).toBe("Fire");
  expect(excerpt({ snippet })).toBe(snippet);
  expect(excerpt({ snippet: "" })).toBe("");
});
