import { useMemo, useSyncExternalStore } from "react";

/** The languages that the page speaks. */
export type Language = "en" | "ja";

/** Sentences by name, in groups. */
export interface Sentences {
  [name: string]: string | Sentences;
}

/** The sentences of each subject: src/i18n says which there are. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- src/i18n adds to it
export interface Subjects {}

type Subject = keyof Subjects;
type Main = "translation" & Subject;

// The name of a sentence: those of its groups and its own, with points between them. Of a sentence
// with a number, count chooses among name_one and name_other.
type Name<T> = {
  [K in keyof T & string]: T[K] extends string
    ? K extends `${infer Plain}_${"one" | "other"}`
      ? K | Plain
      : K
    : `${K}.${Name<T[K]>}`;
}[keyof T & string];
type Named<S extends Subject> =
  Name<Subjects[S]> | { [Other in Subject]: `${Other}:${Name<Subjects[Other]>}` }[Subject];

/** What stands in a sentence in the places of {{name}}. */
type Values = Record<string, string | number | undefined>;
export type Say<S extends Subject = Main> = (name: Named<S>, values?: Values) => string;

const main = "translation";
const fallback: Language = "en"; // of what is not there yet in another language
const said: Record<Language, Record<string, Sentences>> = { en: {}, ja: {} };
const hearers = new Set<() => void>();
let version = 0; // of what the page says; another one draws it anew

function changed(): void {
  version++;
  hearers.forEach((hear) => hear());
}

// found returns the sentence with a name of a subject.
function found(language: Language, subject: string, name: string): string | undefined {
  let at: string | Sentences | undefined = said[language][subject];
  for (const part of name.split(".")) {
    if (typeof at !== "object" || !Object.hasOwn(at, part)) return undefined;
    at = at[part];
  }
  return typeof at === "string" ? at : undefined;
}

const rules = new Map<Language, Intl.PluralRules>();

function plural(language: Language, count: number): string {
  if (!rules.has(language)) rules.set(language, new Intl.PluralRules(language));
  return rules.get(language)!.select(count);
}

// say returns a sentence of the first of some subjects that has one; its name, where none does.
function say(subjects: readonly string[], name: string, values?: Values): string {
  const colon = name.indexOf(":");
  const among = colon < 0 ? subjects : [name.slice(0, colon)];
  const own = name.slice(colon + 1);
  for (const language of new Set([speech.language, fallback])) {
    const count = values?.["count"];
    const names = typeof count === "number" ? [`${own}_${plural(language, count)}`, own] : [own];
    for (const subject of among)
      for (const one of names) {
        const sentence = found(language, subject, one);
        if (sentence !== undefined) return fill(sentence, values);
      }
  }
  return own;
}

// A name that goes from right to left takes no sign of the sentence along.
const leftward = /[\u0590-\u08ff\ufb1d-\ufdfd\ufe70-\ufefc]/;
const isolated = (value: string) => (leftward.test(value) ? `\u2068${value}\u2069` : value);

const fill = (sentence: string, values?: Values) =>
  values
    ? sentence.replace(/\{\{(\w+)\}\}/g, (place, name: string) =>
        Object.hasOwn(values, name) ? isolated(String(values[name] ?? "")) : place,
      )
    : sentence;

const join = (into: Sentences, more: Sentences): Sentences => {
  const all = { ...into };
  for (const [name, one] of Object.entries(more)) {
    const before = all[name];
    all[name] = typeof before === "object" && typeof one === "object" ? join(before, one) : one;
  }
  return all;
};

/** The language of the page, and its sentences where no part of the page draws them. */
export const speech = {
  language: fallback as Language,
  t: ((name: string, values?: Values) => say([main], name, values)) as Say,
};

/**
 * Adds sentences to those of a subject. The page is drawn anew if it already speaks the language,
 * unless quiet says that none of its parts waits for them.
 */
export function add(
  language: Language,
  subject: string,
  sentences: Sentences,
  { quiet = false } = {},
): void {
  said[language][subject] = join(said[language][subject] ?? {}, sentences);
  if (!quiet) changed();
}

// What loads the Japanese sentences of each subject of which a part was on the page.
const japanese = new Map<string, () => Promise<void>>();

/**
 * Adds the sentences of a subject, which come with the parts that show them: those parts wait for
 * the language that the page speaks, and no part that is on the page waits for them. Without a
 * network they are in English.
 */
export async function subject(
  name: string,
  en: Sentences,
  ja: () => Promise<{ ja: Sentences }>,
): Promise<void> {
  add("en", name, en, { quiet: true });
  let loaded: Promise<void> | undefined;
  const load = () => {
    loaded ??= ja().then(({ ja }) => add("ja", name, ja, { quiet: true }));
    loaded.catch(() => (loaded = undefined));
    return loaded;
  };
  japanese.set(name, load);
  if (speech.language === "ja") await load().catch(() => undefined);
}

/** Changes the language, and loads its sentences of the subjects that are here. */
export async function change(language: Language): Promise<void> {
  if (language === "ja")
    await Promise.all([...japanese.values()].map((load) => load().catch(() => undefined)));
  speech.language = language;
  changed();
}

const subscribe = (hear: () => void) => (hearers.add(hear), () => hearers.delete(hear));
const now = () => version;

/**
 * Returns what says sentences of a subject, or of the first of several; those of any other subject
 * have its name before them, as in "account:title". It is another function once the language is
 * another.
 */
export function useTranslation<const S extends Subject = Main>(
  subjects?: S | readonly [S, ...Subject[]],
): { t: Say<S>; i18n: { language: Language } } {
  const of = useSyncExternalStore(subscribe, now);
  const names = typeof subjects === "string" ? subjects : (subjects ?? [main]).join();
  return useMemo(
    () => ({
      t: (name: string, values?: Values) => say(names.split(","), name, values),
      i18n: { language: speech.language },
    }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- of stands for what is said
    [of, names],
  );
}
