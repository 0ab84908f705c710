import MarkdownIt from "markdown-it";
import { tables } from "./tables";
import { address, eastAsian, hashtag, mention } from "./words";

// The Markdown that the API takes: CommonMark and deletions, with line breaks and emphasis as
// people type them, without HTML and without definitions of links.
const markdown = new MarkdownIt("commonmark", { html: false, breaks: true })
  .enable("strikethrough")
  .disable("reference");
tables(markdown);
const fit = (address: string | number | null) => /^(https?:\/\/|\/(?!\/))/i.test(String(address));
markdown.validateLink = () => true; // below, a link with an address that is not fit loses it, as an image does
markdown.normalizeLinkText = (text) => text;
markdown.renderer.rules["s_open"] = () => "<del>";
markdown.renderer.rules["s_close"] = () => "</del>";

// Emphasis beside punctuation of Chinese, Japanese and Korean.
const letter = (c: string) => eastAsian(c) || !/^[\s\p{Z}\p{P}\p{S}]/u.test(c);
const space = (c: string) => /^[\s\p{Z}]/u.test(c);
markdown.inline.State = class extends markdown.inline.State {
  override scanDelims(start: number, splits: boolean) {
    const found = super.scanDelims(start, splits);
    const before = /.$/su.exec(this.src.slice(Math.max(0, start - 2), start))?.[0] ?? " ";
    const after =
      start + found.length < this.posMax
        ? String.fromCodePoint(this.src.codePointAt(start + found.length)!)
        : " ";
    if (splits && (eastAsian(before) || eastAsian(after))) {
      found.can_open = !space(after) && (letter(after) || !letter(before) || eastAsian(before));
      found.can_close = !space(before) && (letter(before) || !letter(after) || eastAsian(after));
    }
    return found;
  }
};

// Addresses that stand in a text as they are. They end where emphasis that is open may close.
markdown.inline.ruler.before("emphasis", "address", (state, silent) => {
  if (silent || state.linkLevel > 0 || !state.src.startsWith("://", state.pos)) return false;
  const scheme = /(?<![A-Za-z0-9_])https?$/i.exec(state.pending)?.[0];
  if (!scheme) return false;
  const start = state.pos - scheme.length;
  const text = state.src.slice(start, state.posMax);
  const depth: Record<string, number> = {};
  for (const { marker, open, close } of state.delimiters) {
    const mark = String.fromCharCode(marker);
    if (close && depth[mark]) depth[mark]--;
    else if (open) depth[mark] = (depth[mark] ?? 0) + 1;
  }
  const n = address(
    text,
    Object.keys(depth)
      .filter((mark) => depth[mark])
      .join(""),
  );
  if (n === 0) return false;
  state.pending = state.pending.slice(0, -scheme.length);
  state.push("link_open", "a", 1).attrs = [["href", text.slice(0, n)]];
  state.push("text", "", 0).content = text.slice(0, n);
  state.push("link_close", "a", -1).markup = "autolink";
  state.pos = start + n;
  return true;
});

// Hashtags and mentions begin where the API finds them.
markdown.core.ruler.after("inline", "words", ({ tokens, Token }) => {
  for (const block of tokens) {
    const links: boolean[] = []; // that are around, and whether they are shown
    let last = ""; // the character shown last
    block.children =
      block.children?.flatMap((token, i, all) => {
        const text = (content: string) => Object.assign(new Token("text", "", 0), { content });
        switch (token.type) {
          case "link_open":
            links.push(fit(token.attrGet("href")));
            return links.at(-1) ? [token] : [];
          case "link_close":
            if (token.markup === "autolink") last = "/";
            return links.pop() ? [token] : [];
          case "image": {
            last = "!";
            const next = all[i + 1];
            if (!fit(token.attrGet("src"))) return text(token.content);
            if (next?.type === "text") next.content = next.content.replace(/^\{size=[a-z]+\}/, "");
            return token;
          }
          case "code_inline":
            last = "`";
            return token;
          case "softbreak":
          case "hardbreak":
            last = "\n";
            return token;
        }
        if (token.type !== "text" || links.length > 0) {
          if (token.content) last = [...token.content].at(-1)!;
          return token;
        }
        const parts: typeof tokens = [];
        let from = 0; // of the text that is not in parts
        for (let at = 0; at < token.content.length;) {
          const c = String.fromCodePoint(token.content.codePointAt(at)!);
          const slashed = last === "/" && from > 0 && at === from + 1; // #one/#two
          const n = "#＃".includes(c)
            ? hashtag(token.content, at, slashed ? " " : last)
            : "@＠".includes(c)
              ? mention(token.content, at, last)
              : 0;
          if (n > 0) {
            parts.push(
              text(token.content.slice(from, at)),
              new Token("link_open", "a", 1),
              text(token.content.slice(at, at + n)),
              new Token("link_close", "a", -1),
            );
            from = at + n;
          }
          const shown = token.content.slice(at, at + (n || c.length));
          last = [...shown].at(-1)!;
          at += shown.length;
        }
        return [...parts, text(token.content.slice(from))];
      }) ?? null;
  }
});

/** Safe HTML of a text: it has none of its own, and all addresses are fit. */
export const render = (text: string) => markdown.render(text);
