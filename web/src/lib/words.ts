// What a hashtag, a mention and an address of the web are, as the API finds them: internal/words,
// which has the reasons. internal/words/testdata/cases.json has cases for both.

import { fold } from "@hibana/client/filters";

export { fold };

const word = "\\p{L}\\p{M}\\p{N}_";
const hides = "\\u00ad\\u200c\\u200d\\u2060";
const joins = "·\\u0387・･〜～\\u05be\\u05f3\\u05f4\\u0f0b";
const body = `[${word}](?:[${hides}]*(?:[${joins}][${hides}]*)?[${word}])*`;

const isWord = (c: string) => new RegExp(`^[${word}]`, "u").test(c);
const unspacedForm =
  /^(?:ー|(?=[\p{L}\p{M}\p{N}])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tai_Le}\p{sc=New_Tai_Lue}\p{sc=Tai_Tham}\p{sc=Tai_Viet}\p{sc=Ahom}])/u;
/** Whether a character is of a script whose words are not told apart. */
const unspaced = (c: string) => unspacedForm.test(c);

const tagForm = new RegExp(`^[${word}\\-]+(?:[${joins}][${word}\\-]+)*$`, "u");
const disguise = new RegExp(`(?![${hides}])\\p{Cf}`, "u");

/** The normal form of a tag; undefined for what cannot be a tag. */
export function tag(typed: string): string | undefined {
  typed = typed.trim().replace(/^#/, "").replace(/^＃/, "");
  const key = fold(typed);
  return tagForm.test(key) &&
    [...key].length <= 50 &&
    !disguise.test(typed) &&
    !/^__(.*__)?$/s.test(key)
    ? key
    : undefined;
}

const hashtagForm = new RegExp(`[#＃](${body})`, "uy");
/**
 * The length of the hashtag at a place; 0 if there is none. after is the character before it, "" at
 * the beginning.
 */
export function hashtag(text: string, at: number, after: string): number {
  if (isWord(after) || (after !== "" && "/&#＃".includes(after))) return 0;
  hashtagForm.lastIndex = at;
  const match = hashtagForm.exec(text);
  return match && /\p{L}/u.test(match[1]!) && tag(match[1]!) !== undefined ? match[0].length : 0;
}

const mentionForm = /[@＠][A-Za-z0-9_]{3,20}(?![A-Za-z0-9_@＠])/uy;
const handleForm = /[@＠][A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9_])?@([A-Za-z0-9.-]+)/y;
/** The length of the handle with a host at a place; 0 if there is none. */
function handle(text: string, at: number): number {
  handleForm.lastIndex = at;
  const match = handleForm.exec(text);
  if (!match) return 0;
  const host = match[1]!.replace(/\.\..*/, "").replace(/[.-]+$/, "");
  const parts = host.split(".");
  if (parts.length < 2 || !parts.every((part) => /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/.test(part)))
    return 0;
  if (!topForm.test(parts.at(-1)!) && !/^(?:\d+\.){3}\d+$/.test(host)) return 0;
  let rest = text.slice(at + match[0].length - match[1]!.length + host.length);
  const port = /^:[0-9]{1,5}(?![0-9])/.exec(rest)?.[0] ?? "";
  const follows = (next: string) => isWord(next) && !unspaced(next);
  let size = host.length;
  if (port && !follows(rest.slice(port.length))) {
    size += port.length;
    rest = rest.slice(port.length);
  }
  if (size > 128 || follows(rest) || /^[@＠]/.test(rest)) return 0;
  return match[0].length - match[1]!.length + size;
}

/**
 * The length of the mention at a place; 0 if there is none. Whether somebody has the name, or the
 * handle with a host, the API finds out.
 */
export function mention(text: string, at: number, after: string): number {
  if (after !== "" && !unspaced(after) && (isWord(after) || "./@＠&+-%#".includes(after))) return 0;
  const whole = handle(text, at);
  if (whole > 0) return whole;
  mentionForm.lastIndex = at;
  const match = mentionForm.exec(text);
  if (!match) return 0;
  const next = text.slice(at + match[0].length);
  if ((isWord(next) && !unspaced(next)) || (isWord(after) && /^\.[A-Za-z0-9_]/.test(next)))
    return 0;
  return match[0].length;
}

const hostForm = new RegExp(`^https?://((?:(?!_)[${word}.\\-])+)`, "iu");
const topForm = /^(?:(?:xn--[a-z0-9-]{1,59}|[a-z]{2,63})(?![a-z0-9-])|[^\x00-\x7f]{2,}$)/iu;
const asciiPath = /[A-Za-z0-9_\-@:%+.~#$!?&/=();,*']/;

/**
 * The length of the address at the beginning of a text; 0 if there is none. open has the marks of
 * Markdown that stand open before it: it ends where they may close.
 */
export function address(text: string, open: string): number {
  const match = hostForm.exec(text);
  const host = match?.[1]!.replace(/[.-]+$/, "");
  if (!match || !host || host.startsWith(".") || host.includes("..") || !host.includes("."))
    return 0;
  const last = host.slice(host.lastIndexOf(".") + 1);
  const top = topForm.exec(last)?.[0];
  if (!top || (top.length < last.length && !unspaced(last.slice(top.length)))) return 0;
  let at = match[0].length - match[1]!.length + host.length - last.length + top.length;
  if (at < match[0].length) return at;
  at += /^:[0-9]{1,5}(?![0-9])/.exec(text.slice(at))?.[0].length ?? 0;
  if (text[at] === "@") return 0;
  if (!/[/?#]/.test(text[at] ?? "")) return at;
  const path = text.slice(at, at + pathLength(text.slice(at), open));
  let parens = path.split(")").length - path.split("(").length;
  for (let n = path.length; n > 0; n--) {
    const c = path[n - 1]!;
    if (".,:;!?'".includes(c)) continue;
    if (c !== ")" || parens-- <= 0) return at + n;
  }
  return at;
}

function pathLength(text: string, open: string): number {
  let [at, end, joined] = [0, 0, true];
  for (const c of text) {
    if (c < "\x80") {
      if (!asciiPath.test(c) || closes(text, at, open)) return end;
      joined = !isWord(c);
      end = at + 1;
    } else if (isWord(c)) {
      joined = false;
      end = at + c.length;
    } else if (joined || !new RegExp(`[${hides}${joins}]`, "u").test(c)) return end;
    else if (!new RegExp(`[${hides}]`, "u").test(c)) joined = true;
    at += c.length;
  }
  return end;
}

/** Whether marks close what stands open. Underscores within a word do not. */
function closes(text: string, at: number, open: string): boolean {
  if (!open.includes(text[at]!)) return false;
  const next = text.slice(at).replace(/^_+/, "");
  return text[at] !== "_" || !(isWord(next) || next.startsWith("/"));
}

/** Whether a character is of Chinese, Japanese or Korean text: a letter or punctuation. */
export const eastAsian = (c: string) =>
  /^[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uffef\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3ffff}]/u.test(
    c,
  );

/**
 * The beginning of a text, at most limit characters, which ends between characters as people see
 * them.
 */
export function cut(text: string, limit: number): string {
  let [n, end] = [0, 0];
  for (const { segment, index } of new Intl.Segmenter(undefined, {
    granularity: "grapheme",
  }).segment(text)) {
    if ((n += [...segment].length) > limit) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
