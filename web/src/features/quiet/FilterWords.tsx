import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "../../lib/speech";
import type { Schemas } from "../../lib/api";

type Word = Schemas["FilterKeyword"];

const most = 500; // words of all filters together

/** A word that is yet to be written. */
export const noWord: Word = { keyword: "", wholeWord: true };

/** The words, phrases and tags of a filter, each with whether it stands alone. */
export function FilterWords({
  words,
  onChange,
}: {
  words: Word[];
  onChange: (words: Word[]) => void;
}) {
  const { t } = useTranslation("quiet");
  const list = useRef<HTMLUListElement>(null);
  const set = (at: number, change: Partial<Word>) =>
    onChange(words.map((word, n) => (n === at ? { ...word, ...change } : word)));
  // The focus goes to a word, once it is drawn.
  const focus = (at: number) =>
    requestAnimationFrame(() =>
      list.current?.querySelectorAll<HTMLInputElement>("input.input")[Math.max(0, at)]?.focus(),
    );
  const add = () => {
    onChange([...words, noWord]);
    focus(words.length);
  };
  const remove = (at: number) => {
    onChange(words.length > 1 ? words.filter((_, n) => n !== at) : [noWord]);
    focus(at - 1);
  };
  return (
    <fieldset className="group">
      <legend>{t("filters.words")}</legend>
      <small className="muted">{t("filters.wordsHint")}</small>
      <ul className="filterwords" ref={list}>
        {words.map(({ keyword, wholeWord = false }, n) => {
          const name = keyword.trim() || t("filters.word", { number: n + 1 });
          const tag = /^\s*[#＃]/.test(keyword);
          return (
            <li key={n}>
              <input
                className="input"
                aria-label={t("filters.word", { number: n + 1 })}
                maxLength={100}
                value={keyword}
                onChange={(event) => set(n, { keyword: event.target.value })}
                onKeyDown={(event) => {
                  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
                  event.preventDefault();
                  if (keyword.trim() !== "" && words.length < most) add();
                }}
              />
              {tag ? (
                <span className="check">{t("filters.tag")}</span>
              ) : (
                <label className="check">
                  <input
                    type="checkbox"
                    checked={wholeWord}
                    aria-label={t("filters.wholeOf", { word: name })}
                    onChange={(event) => set(n, { wholeWord: event.target.checked })}
                  />
                  {t("filters.whole")}
                </label>
              )}
              <button
                type="button"
                className="icon"
                aria-label={t("filters.removeWord", { word: name })}
                onClick={() => remove(n)}
              >
                <X size={18} aria-hidden="true" />
              </button>
            </li>
          );
        })}
      </ul>
      <button type="button" className="button small" disabled={words.length >= most} onClick={add}>
        <Plus size={16} aria-hidden="true" />
        {t("filters.add")}
      </button>
    </fieldset>
  );
}
