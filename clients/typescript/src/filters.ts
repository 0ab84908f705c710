/**
 * The caller's filters, for texts that a client listens to or keeps: the answers of the API have
 * what they match already. The rules are those of the API (internal/words/whole.go and
 * model/filters.go), and model/testdata/filters.json has cases for both.
 *
 *     const { items: filters } = await body(hibana.GET("/v1/users/me/filters", {}));
 *     const hits = matchFilters(filters, { texts: [excerpt.text] }, "notifications");
 *     if (hits.some((hit) => hit.action === "hide")) return;
 */

/** A kind of list in which a filter acts. */
export type FilterContext = "home" | "notifications" | "public" | "thread" | "profile";

/** A filter, as the API answers it. */
export interface Filter {
  id: string;
  title: string;
  contexts: FilterContext[];
  action: "hide" | "warn";
  expiresAt?: string | null;
  keywords: { keyword: string; wholeWord?: boolean }[];
}

/** What filters see of a tweet: its snippet or excerpt, its content warning, options of a poll. */
export interface FilterText {
  texts: string[];
  tags?: string[];
}

/** A filter that a text matches, as filtered of a tweet has it. */
export interface FilterHit {
  filterId: string;
  title: string;
  action: "hide" | "warn";
  /** The first keyword of the filter that the text has. */
  keyword: string;
  /** Where the filter acts. */
  contexts: FilterContext[];
  /** When the filter ends; absent for a filter without an end. */
  expiresAt?: string;
}

/**
 * Returns the filters that a text matches in a context at a time (now if absent), in their order.
 * Leave out texts of the caller: no filter acts on them.
 */
export function matchFilters(
  filters: Filter[],
  text: FilterText,
  context: FilterContext,
  now = Date.now(),
): FilterHit[] {
  const acting = filters.filter(
    (f) => f.contexts.includes(context) && (!f.expiresAt || now < Date.parse(f.expiresAt)),
  );
  if (acting.length === 0) return [];
  const texts = text.texts.map((one) => new Text(fold(one)));
  const tags = (text.tags ?? []).map(fold);
  const has = ({ keyword, wholeWord = false }: Filter["keywords"][number]) => {
    const trimmed = trim(shown(keyword));
    const tag = trimmed.replace(/^#/, "").replace(/^＃/, "");
    if (tag !== trimmed) return tags.includes(fold(tag));
    const folded = fold(trimmed);
    return texts.some((one) => one.contains(folded, wholeWord));
  };
  return acting.flatMap((f) => {
    const hit = f.keywords.find(has);
    if (!hit) return [];
    const { id, title, action, contexts, expiresAt } = f;
    const is = { filterId: id, title, action, keyword: hit.keyword, contexts };
    return [expiresAt ? { ...is, expiresAt } : is];
  });
}

/** The form in which texts are compared: NFKC, without case and invisible characters. */
export function fold(text: string): string {
  for (let before = ""; before !== text;) {
    before = text;
    text = shown(shown(text).normalize("NFKC").replaceAll("İ", "i"));
    // A capital has all small letters of its own, but for the dotless i.
    text = [...text.normalize("NFD")]
      .map((c) => (c === "ı" ? c : c.toUpperCase().toLowerCase()))
      .join("")
      .normalize("NFKC");
  }
  return text;
}

const shown = (text: string) =>
  text.replaceAll("～", "〜").replaceAll(/(?![\ufff9-\ufffb\p{Z}])\p{DI}/gu, "");

/** Without the spaces around it that the API takes off. */
const trim = (text: string) => text.replaceAll(/^[\s\u0085]+|[\s\u0085]+$/g, "");

/** A folded text in which keywords are looked for. It finds once where words begin and end. */
class Text {
  private breaks?: Set<number>;
  constructor(private readonly folded: string) {}

  /** Whether the text has a folded keyword; with whole, between words. */
  contains(keyword: string, whole: boolean): boolean {
    if (keyword === "" || !whole) return keyword !== "" && this.folded.includes(keyword);
    this.breaks ??= breaksOf(this.folded);
    for (const at of this.breaks)
      if (this.folded.startsWith(keyword, at) && this.breaks.has(at + keyword.length)) return true;
    return false;
  }
}

/** Where words may begin or end, in time proportional to the length of the text. */
function breaksOf(text: string): Set<number> {
  const characters = [...text];
  const breaks = new Set<number>();
  let at = 0;
  characters.forEach((c, n) => {
    if (between(characters, n)) breaks.add(at);
    at += c.length;
  });
  return breaks.add(text.length);
}

/** Whether a word may begin or end before a character, by UAX 29 with the differences of the API. */
function between(text: string[], at: number): boolean {
  const after = text[at] ?? "";
  if (at === 0) return true;
  if (isMark(after)) return false; // a mark belongs to the character before it
  const before = unmarked(text, at);
  const last = text[before] ?? "";
  const a = kindOf(last);
  const b = kindOf(after);
  if (a !== "none" && b !== "none") return a !== b || a === "alone";
  if (a !== "none") return !within(last, after, text[at + 1] ?? "");
  if (b !== "none") return !within(text[unmarked(text, before)] ?? "", last, after);
  return true;
}

/** The place of the last character before a place that is no mark; the first place if all are. */
function unmarked(text: string[], at: number): number {
  let last = at - 1;
  while (last > 0 && isMark(text[last] ?? "")) last--;
  return last;
}

const isMark = (c: string) => /^\p{M}/u.test(c);

const unspaced =
  /^(?=[\p{L}\p{M}\p{N}])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tai_Le}\p{sc=New_Tai_Lue}\p{sc=Tai_Tham}\p{sc=Tai_Viet}\p{sc=Ahom}]/u;

/** How a character joins others to a word. */
function kindOf(c: string): "none" | "spaced" | "katakana" | "alone" {
  if (c === "ー" || /^\p{sc=Katakana}/u.test(c)) return "katakana";
  if (unspaced.test(c)) return "alone";
  return /^[\p{L}\p{N}]/u.test(c) ? "spaced" : "none";
}

/** Whether a sign between two characters is a part of a word or number. */
function within(before: string, sign: string, after: string): boolean {
  if (/^['’·\u0387\u05f3\u05f4]$/.test(sign)) return isLetter(before) && isLetter(after);
  return /^[.,]$/.test(sign) && /^\p{Nd}/u.test(before) && /^\p{Nd}/u.test(after);
}

const isLetter = (c: string) => kindOf(c) === "spaced" && /^\p{L}/u.test(c);
