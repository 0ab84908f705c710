import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { drawn } from "../lib/drawn";
import { en } from "./en";

export type Language = "en" | "ja";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: {
      translation: typeof en;
      admin: typeof import("./admin.en").en;
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
      compose: typeof import("./compose.en").en;
      agents: typeof import("./agents.en").en;
    };
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
  await i18next.use(initReactI18next).init({
    resources: { en: { translation: en } },
    lng: "en",
    fallbackLng: "en",
    interpolation: { escapeValue: false }, // React escapes
    returnNull: false,
    react: { bindI18nStore: "added" },
  });
  // What failures mean is rarely needed, and not for the first page.
  void drawn
    .then(() => import("./errors.en"))
    .then(
      ({ errors }) => i18next.addResourceBundle("en", "translation", { errors }, true, true),
      () => undefined, // the API says in English what failed
    );
  await speak(chosenLanguage());
}

/** Changes the language, and loads its catalogue if it is not there. */
export async function speak(language: Language): Promise<void> {
  if (language === "ja" && !i18next.hasResourceBundle("ja", "translation")) {
    const { ja } = await import("./ja");
    i18next.addResourceBundle("ja", "translation", ja);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Changes the language and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem("hibana.language", language);
  await speak(language);
}
