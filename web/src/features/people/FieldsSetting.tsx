import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { HibanaError, queries } from "../../lib/api";
import { changeMe } from "../../lib/me";
import { sentence, tell } from "../../lib/failures";
import "../../i18n/fields";
import { useMe } from "../../lib/session";
import "../../styles/fields.css";
import { toast } from "../../lib/toast";
import { Toggle } from "../../ui/Toggle";
import { peopleKeys } from "./keys";

const most = 4;

/** The fields, the pronouns and the bot mark of the reader's profile. */
export default function FieldsSetting() {
  const { t } = useTranslation(["fields", "translation"]);
  const me = useMe()!;
  const [rows, setRows] = useState(() =>
    (me.fields ?? []).map(({ name, value }) => ({ name, value })),
  );
  const [pronouns, setPronouns] = useState(me.pronouns ?? "");
  const [bot, setBot] = useState(me.bot ?? false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const change = (at: number, what: Partial<(typeof rows)[number]>) =>
    setRows(rows.map((row, n) => (n === at ? { ...row, ...what } : row)));
  const save = async () => {
    setBusy(true);
    setFailure("");
    const fields = rows
      .map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
      .filter(({ name, value }) => name || value);
    try {
      await changeMe(me, { fields, pronouns: pronouns.trim(), bot });
      setRows(fields);
      void queries.invalidateQueries({ queryKey: peopleKeys.users });
      toast.success(t("translation:settings.saved"));
    } catch (problem) {
      if (problem instanceof HibanaError) setFailure(sentence(problem));
      else tell(problem);
    }
    setBusy(false);
  };
  return (
    <section>
      <h2>{t("setting.title")}</h2>
      <p className="muted">{t("setting.hint")}</p>
      <form
        className="settings"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {rows.map((row, at) => (
          <div className="fieldrow" key={at}>
            <label className="field">
              <span>{t("setting.name", { count: at + 1 })}</span>
              <input
                className="input"
                dir="auto"
                maxLength={100}
                value={row.name}
                onChange={(event) => change(at, { name: event.target.value })}
              />
            </label>
            <label className="field">
              <span>{t("setting.value", { count: at + 1 })}</span>
              <input
                className="input"
                dir="auto"
                maxLength={255}
                value={row.value}
                onChange={(event) => change(at, { value: event.target.value })}
              />
            </label>
            <button
              type="button"
              className="icon"
              aria-label={t("setting.remove", { count: at + 1 })}
              title={t("setting.remove", { count: at + 1 })}
              onClick={() => setRows(rows.filter((_, n) => n !== at))}
            >
              <Trash2 size={18} aria-hidden="true" />
            </button>
          </div>
        ))}
        {rows.length < most && (
          <button
            type="button"
            className="button"
            onClick={() => setRows([...rows, { name: "", value: "" }])}
          >
            {t("setting.add")}
          </button>
        )}
        <label className="field">
          <span>{t("setting.pronouns")}</span>
          <input
            className="input"
            dir="auto"
            maxLength={40}
            value={pronouns}
            onChange={(event) => setPronouns(event.target.value)}
          />
        </label>
        <Toggle label={t("setting.bot")} on={bot} disabled={busy} onChange={setBot} />
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <button className="button main" disabled={busy}>
          {t("setting.save")}
        </button>
      </form>
    </section>
  );
}
