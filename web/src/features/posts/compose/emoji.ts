import { Picker } from "emoji-picker-element";
import words from "emoji-picker-element/i18n/ja.js";
import en from "emoji-picker-element-data/en/cldr/data.json?url";
import ja from "emoji-picker-element-data/ja/cldr/data.json?url";
import { ownerHere } from "../../../lib/accounts";

// Of 2022, which maintained systems draw. The picker would else look for a font of colours, and show
// nothing where there is none.
const emojiVersion = 15;

/**
 * Makes a picker of emoji, with names and words to search in a language. Its data is ours to serve.
 * What it calls a locale is the name of its database: that counts which emoji an account uses.
 */
export function picker(language: string): HTMLElement {
  const locale = `${language}-${ownerHere()}`;
  return language === "ja"
    ? new Picker({ dataSource: ja, locale, i18n: words, emojiVersion })
    : new Picker({ dataSource: en, locale, emojiVersion });
}
