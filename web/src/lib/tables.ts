import type MarkdownIt from "markdown-it";

// Tables as the API reads them: the end of a paragraph with a line of names, a line of dashes with as
// many cells, and rows. A row has the cells that were typed. A larger one is no table.
const columns = 10;
const most = 50; // rows below the names
const dashes = /^\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?$/;

/** Splits a line at its bars. A bar behind a backslash is a character of its cell. */
function cells(line: string): string[] {
  const all: string[] = [];
  const whole = trim(line);
  let start = whole.startsWith("|") ? 1 : 0;
  for (let i = start; i < whole.length; i++) {
    if (whole[i] === "\\") i++;
    else if (whole[i] === "|") {
      all.push(trim(whole.slice(start, i)));
      start = i + 1;
    }
  }
  if (start < whole.length || all.length === 0) all.push(trim(whole.slice(start)));
  return all;
}

const trim = (text: string) => text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, "");

/** Returns at which line of a paragraph a table begins, and the cells of its rows. */
function find(lines: string[]): { names: number; rows: string[][] } | undefined {
  for (let i = 1; i < lines.length; i++) {
    const [above, under] = [lines[i - 1]!, trim(lines[i]!)];
    if (!under.includes("|") || !dashes.test(under)) continue;
    const head = cells(above);
    if (!above.includes("|") || head.length !== cells(under).length) continue;
    if (lines.length - i - 1 > most) return undefined;
    const rows = [head, ...lines.slice(i + 1).map(cells)];
    return rows.some((row) => row.length > columns) ? undefined : { names: i - 1, rows };
  }
  return undefined;
}

/** Adds tables to a reader of Markdown. */
export function tables(markdown: InstanceType<typeof MarkdownIt>): void {
  const { ruler } = markdown.block;
  ruler.before("lheading", "grid", (state, startLine, endLine, silent) => {
    if (silent || state.sCount[startLine]! - state.blkIndent > 3) return false;
    // The lines of the paragraph, up to what would end it.
    const ends = ruler.getRules("paragraph");
    const { parentType } = state;
    state.parentType = "paragraph";
    let next = startLine + 1;
    for (; next < endLine && !state.isEmpty(next); next++) {
      const indent = state.sCount[next]!;
      if (indent < 0 || indent - state.blkIndent > 3) continue; // goes on, however it is indented
      const line = state.src.slice(state.bMarks[next]! + state.tShift[next]!, state.eMarks[next]);
      if (indent >= state.blkIndent && /^(=+|-+)[ \t]*$/.test(line)) break; // of a heading
      if (ends.some((rule) => rule(state, next, endLine, true))) break;
    }
    state.parentType = parentType;
    const lines = state.getLines(startLine, next, state.blkIndent, false).split("\n");
    const found = find(lines);
    if (!found) return false;
    const inline = (content: string) =>
      Object.assign(state.push("inline", "", 0), { content, children: [], map: [startLine, next] });
    if (found.names > 0) {
      state.push("paragraph_open", "p", 1);
      inline(lines.slice(0, found.names).join("\n").trim());
      state.push("paragraph_close", "p", -1);
    }
    state.push("table_open", "table", 1);
    for (const [at, row] of found.rows.entries()) {
      const tag = at === 0 ? "th" : "td";
      state.push("tr_open", "tr", 1);
      for (const cell of row) {
        state.push(`${tag}_open`, tag, 1);
        inline(cell);
        state.push(`${tag}_close`, tag, -1);
      }
      state.push("tr_close", "tr", -1);
    }
    state.push("table_close", "table", -1);
    state.line = next;
    return true;
  });
}
