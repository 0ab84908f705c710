import { useTranslation } from "../../lib/speech";
import { languageName, languages } from "./find";
import { queries } from "../../lib/api";
import { useChosen } from "../../lib/choices";
import { chooseMine } from "../../lib/me";
import { useMe } from "../../lib/session";
import { Toggle } from "../../ui/Toggle";
import { peopleKeys } from "./keys";

/** How others find the reader. */
export function FindSetting() {
  const { t, i18n } = useTranslation("find");
  const me = useChosen(useMe()!);
  const anew = () => void queries.invalidateQueries({ queryKey: peopleKeys.directory });
  const chosen = me.language ?? "";
  return (
    <section>
      <h2>{t("settings.title")}</h2>
      <Toggle
        label={t("settings.listed")}
        on={me.discoverable ?? false}
        onChange={(on) => void chooseMine(me, "discoverable", on, anew)}
      />
      <p className="muted">{t("settings.listedHint")}</p>
      <label className="field">
        <span>{t("settings.language")}</span>
        <select
          className="input"
          value={chosen}
          onChange={(event) => void chooseMine(me, "language", event.target.value, anew)}
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
        onChange={(on) => void chooseMine(me, "notSuggested", on, anew)}
      />
    </section>
  );
}
