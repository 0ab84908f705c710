import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { findMe, languageName, languages } from "./find";
import { useMe } from "../../lib/session";
import { Toggle } from "../../ui/Toggle";

/** How others find the reader. */
export function FindSetting() {
  const { t, i18n } = useTranslation("find");
  const me = useMe()!;
  const [sending, setSending] = useState(false);
  const change = async (what: Parameters<typeof findMe>[0]) => {
    setSending(true);
    await findMe(what);
    setSending(false);
  };
  const chosen = me.language ?? "";
  return (
    <section>
      <h2>{t("settings.title")}</h2>
      <Toggle
        label={t("settings.listed")}
        on={me.discoverable ?? false}
        disabled={sending}
        onChange={(discoverable) => void change({ discoverable })}
      />
      <p className="muted">{t("settings.listedHint")}</p>
      <label className="field">
        <span>{t("settings.language")}</span>
        <select
          className="input"
          value={chosen}
          disabled={sending}
          onChange={(event) => void change({ language: event.target.value })}
        >
          <option value="">{t("settings.unsaid")}</option>
          {(languages.includes(chosen) || !chosen ? languages : [chosen, ...languages]).map(
            (tag) => (
              <option key={tag} value={tag}>
                {languageName(tag, i18n.language)}
              </option>
            ),
          )}
        </select>
      </label>
      <Toggle
        label={t("settings.hidden")}
        on={me.notSuggested ?? false}
        disabled={sending}
        onChange={(notSuggested) => void change({ notSuggested })}
      />
    </section>
  );
}
