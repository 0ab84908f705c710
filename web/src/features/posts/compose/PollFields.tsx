import { useTranslation } from "../../../lib/speech";
import type { Draft } from "../drafts";

/** The options of a poll, four at most, and how long it lasts. */
export function PollFields({
  poll,
  onChange,
}: {
  poll: NonNullable<Draft["poll"]>;
  onChange: (poll: Draft["poll"]) => void;
}) {
  const { t } = useTranslation();
  const fields =
    poll.options.length < 4 && poll.options.every(Boolean) ? [...poll.options, ""] : poll.options;
  return (
    <fieldset className="field" style={{ border: 0, padding: 0, margin: 0, gap: "var(--space-2)" }}>
      {fields.map((text, n) => (
        <input
          key={n}
          className="input"
          value={text}
          maxLength={80}
          aria-label={t("poll.option", { number: n + 1 })}
          placeholder={t("poll.option", { number: n + 1 })}
          onChange={(event) =>
            onChange({
              ...poll,
              options: fields.map((other, m) => (m === n ? event.target.value : other)),
            })
          }
        />
      ))}
      <label className="field">
        <span>{t("poll.lasts")}</span>
        <select
          className="input"
          value={poll.minutes}
          onChange={(event) => onChange({ ...poll, minutes: Number(event.target.value) })}
        >
          <option value={60}>{t("poll.hour")}</option>
          <option value={1440}>{t("poll.day")}</option>
          <option value={4320}>{t("poll.days")}</option>
          <option value={10080}>{t("poll.week")}</option>
        </select>
      </label>
    </fieldset>
  );
}
