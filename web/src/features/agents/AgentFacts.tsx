import { useTranslation } from "../../lib/speech";
import type { Schemas } from "../../lib/api";
import { dateAndTime } from "../../lib/dates";

const kinds = ["posts", "likes", "follows", "tokens"] as const;
const million = 1_000_000;

/** How an agent is set, and what it spent today. */
export function AgentFacts({ of }: { of: Schemas["Agent"] }) {
  const { t, i18n } = useTranslation("agents");
  const today = new Date().toISOString().slice(0, 10) === of.day;
  const spent = today ? of.spent : {};
  const dollars = (n = 0) => (n / million).toLocaleString(i18n.language);
  return (
    <dl className="instancefacts">
      <dt>{t("model")}</dt>
      <dd dir="auto">{of.model}</dd>
      <dt>{t("every")}</dt>
      <dd>{t("everyMinutes", { count: of.everyMinutes })}</dd>
      {of.nextAt && (
        <>
          <dt>{t("next")}</dt>
          <dd>{dateAndTime(of.nextAt, i18n.language)}</dd>
        </>
      )}
      <dt>{t("spent")}</dt>
      <dd>
        {kinds.map((kind) => (
          <div key={kind}>{t(kind, { spent: spent[kind] ?? 0, most: of.budget[kind] ?? 0 })}</div>
        ))}
        <div>
          {t("dollars", {
            spent: dollars(spent.microDollars),
            most: dollars(of.budget.microDollars),
          })}
        </div>
      </dd>
      {of.problem && (
        <>
          <dt>{t("problem")}</dt>
          <dd>
            <code dir="ltr">{of.problem}</code>
          </dd>
        </>
      )}
    </dl>
  );
}
