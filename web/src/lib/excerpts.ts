// What stands beside other things, such as a quote in a tweet or an introduction in a list, is plain
// text: neither Markdown nor links.

const blocks = "p, h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote, pre, table, tr, hr, br, div";

/** Returns the text of safe HTML. Blocks stand on lines of their own, as the API writes them. */
export function plain(html: string | undefined): string {
  if (!html) return "";
  let text = "";
  const write = (of: Node) => {
    for (const node of of.childNodes) {
      if (node instanceof Element) {
        const begins = text !== "" && !/\s$/.test(text);
        if (begins && node.matches(blocks)) text += "\n";
        else if (begins && node.matches("td, th")) text += " ";
        write(node);
      } else text += node.textContent;
    }
  };
  write(new DOMParser().parseFromString(html, "text/html").body);
  return text.trim();
}

interface Begun {
  snippet: string;
  snippetHtml?: string | undefined;
  /** A content warning, which stands for the text. */
  summary?: string | undefined;
}

/**
 * Returns the beginning of a tweet or an introduction as plain text. What was read without HTML is
 * shown as it was written.
 */
export const excerpt = ({ summary, snippetHtml, snippet }: Begun): string =>
  summary || plain(snippetHtml) || snippet;
