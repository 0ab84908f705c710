import MarkdownIt from "markdown-it";
import { useDeferredValue, useMemo } from "react";

// The Markdown that the API takes: CommonMark and deletions, without HTML and without definitions of links.
const markdown = new MarkdownIt("commonmark", { html: false }).enable("strikethrough").disable("reference");
const fit = (address: string | number | null) => /^(https?:\/\/|\/(?!\/))/i.test(String(address));
markdown.validateLink = () => true; // below, a link with an address that is not fit loses it, as an image does
markdown.renderer.rules["s_open"] = () => "<del>";
markdown.renderer.rules["s_close"] = () => "</del>";

// Hashtags, mentions and addresses begin where the API finds them. Whether somebody has a name, the API finds out.
const word = "\\p{L}\\p{M}\\p{N}_";
const found = new RegExp([
  `(?<![${word}/&#＃])[#＃](?![\\p{M}\\p{N}_]+(?![${word}]))[${word}]+`,
  "(?<![A-Za-z0-9_./@＠&+\\-%#])[@＠][A-Za-z0-9_]{3,20}(?![A-Za-z0-9_@＠])",
  "(?<![A-Za-z0-9_])https?://[-a-zA-Z0-9.]{1,256}\\.[a-zA-Z]{2,63}(?::[0-9]{1,5})?(?:[/?#][-a-zA-Z0-9@:%_+.~#$!?&/=();,]*)?(?<![.,:;!?)])",
].join("|"), "gu");
markdown.core.ruler.after("inline", "words", ({ tokens, Token }) => {
  for (const block of tokens) {
    const links: boolean[] = []; // that are around, and whether they are shown
    block.children = block.children?.flatMap((token) => {
      if (token.type === "link_open") return links.push(fit(token.attrGet("href"))), links.at(-1) ? [token] : [];
      if (token.type === "link_close") return links.pop() ? [token] : [];
      if (token.type === "image" && !fit(token.attrGet("src"))) return Object.assign(new Token("text", "", 0), { content: token.content });
      if (token.type !== "text" || links.length > 0) return [token];
      const parts: typeof tokens = [];
      const add = (type: string, tag: string, nesting: -1 | 0 | 1, content = "") => {
        const part = new Token(type, tag, nesting);
        part.content = content;
        parts.push(part);
      };
      let from = 0;
      for (const match of token.content.matchAll(found)) {
        add("text", "", 0, token.content.slice(from, match.index));
        add("link_open", "a", 1);
        add("text", "", 0, match[0]);
        add("link_close", "a", -1);
        from = match.index + match[0].length;
      }
      add("text", "", 0, token.content.slice(from));
      return parts;
    }) ?? null;
  }
});

/** The text as it will look. Nothing in it leads anywhere. */
export default function Preview({ content }: { content: string }) {
  const later = useDeferredValue(content);
  // Safe: the text has no HTML of its own, and all addresses are fit.
  const html = useMemo(() => markdown.render(later), [later]);
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} onClick={(event) => event.preventDefault()} />;
}
