import { drawn } from "../lib/drawn";
import { add, change, type Language } from "../lib/speech";
import { en } from "./en";

export type { Language };

declare module "../lib/speech" {
  interface Subjects {
    translation: typeof en;
    admin: typeof import("./admin.en").en;
    apps: typeof import("./apps.en").en;
    media: typeof import("./media.en").en;
    guests: typeof import("./guests.en").en;
    quiet: typeof import("./quiet.en").en;
    lists: typeof import("./lists.en").en;
    held: typeof import("./held.en").en;
    find: typeof import("./find.en").en;
    messages: typeof import("./messages.en").en;
    small: typeof import("./small.en").en;
    account: typeof import("./account.en").en;
    policy: typeof import("./policy.en").en;
    instance: typeof import("./instance.en").en;
    trends: typeof import("./trends.en").en;
    appeals: typeof import("./appeals.en").en;
    fields: typeof import("./fields.en").en;
    agents: typeof import("./agents.en").en;
    compose: typeof import("./compose.en").en;
    domains: typeof import("./domains.en").en;
    moving: typeof import("./moving.en").en;
    webhooks: typeof import("./webhooks.en").en;
  }
}

/** Returns the language that the reader chose, or that of the browser. */
export function chosenLanguage(): Language {
  const chosen = stored();
  return chosen === "en" || chosen === "ja"
    ? chosen
    : navigator.language.startsWith("ja")
      ? "ja"
      : "en";
}

function stored(): string | null {
  try {
    return localStorage.getItem("hibana.language");
  } catch {
    return null;
  }
}

/** Begins with the chosen language. */
export async function begin(): Promise<void> {
  add("en", "translation", en);
  // What failures mean is rarely needed, and not for the first page.
  void drawn
    .then(() => import("./errors.en"))
    .then(
      ({ errors }) => add("en", "translation", { errors }),
      () => undefined, // the API says in English what failed
    );
  // Without a network, and without what the worker keeps, in English.
  await speak(chosenLanguage()).catch(() => change("en"));
}

let whole: Promise<void> | undefined; // all that is said in Japanese, but for the subjects

/** Changes the language, and loads its sentences if they are not there. */
export async function speak(language: Language): Promise<void> {
  if (language === "ja") {
    whole ??= import("./ja").then(({ ja }) => add("ja", "translation", ja, { quiet: true }));
    whole.catch(() => (whole = undefined));
    await whole;
  }
  await change(language);
  document.documentElement.lang = language;
}

/** Changes the language and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem("hibana.language", language);
  await speak(language);
}
