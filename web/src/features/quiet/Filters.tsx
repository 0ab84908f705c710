import "../../i18n/quiet";
import "../../styles/quiet.css";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { FilterForm } from "./FilterForm";
import { Top } from "../../ui/Top";
import { Parent } from "../../ui/Parent";
import { Empty, Failed, Loading } from "../../ui/states";
import { removeFilter, useFilters, type Filter } from "./filters";
import { dateAndTime } from "../../lib/dates";

/** The reader's filters of words and tags. */
export default function Filters() {
  const { t } = useTranslation("quiet");
  const { data, error, refetch } = useFilters();
  const [form, setForm] = useState<{ filter?: Filter }>();
  return (
    <>
      <Top title={t("settings.filters")} />
      <div className="settings quiet">
        <Parent />
        <section>
          <p className="muted">{t("filters.hint")}</p>
          <button className="button main" onClick={() => setForm({})}>
            <Plus size={18} aria-hidden="true" />
            {t("filters.new")}
          </button>
        </section>
        {!data && (error ? <Failed failure={error} again={() => void refetch()} /> : <Loading />)}
        {data?.length === 0 && <Empty title={t("filters.none")} hint={t("filters.noneHint")} />}
        {data && data.length > 0 && (
          <ul className="filterlist">
            {data.map((filter) => (
              <Row key={filter.id} filter={filter} onChange={() => setForm({ filter })} />
            ))}
          </ul>
        )}
      </div>
      {form && <FilterForm filter={form.filter} onClose={() => setForm(undefined)} />}
    </>
  );
}

function Row({ filter, onChange }: { filter: Filter; onChange: () => void }) {
  const { t, i18n } = useTranslation("quiet");
  const { title, keywords, contexts, action, expiresAt } = filter;
  const end = expiresAt && {
    when: dateAndTime(expiresAt, i18n.language),
    over: Date.parse(expiresAt) <= Date.now(),
  };
  return (
    <li>
      <section aria-label={title}>
        <h2 className="plain">{title}</h2>
        <p className="plain words">
          {keywords
            .slice(0, 8)
            .map((one) => one.keyword)
            .join(" · ")}
          {keywords.length > 8 && ` · ${t("filters.count", { count: keywords.length })}`}
        </p>
        <p>
          {t(`filters.actions.${action}`)}
          {end && ` · ${t(end.over ? "filters.ended" : "filters.until", { when: end.when })}`}
        </p>
        <p className="muted">{contexts.map((one) => t(`filters.contexts.${one}`)).join(" · ")}</p>
        <div className="choices">
          <button
            className="button small"
            aria-label={`${t("filters.change")}: ${title}`}
            onClick={onChange}
          >
            {t("filters.change")}
          </button>
          <button
            className="button small danger"
            aria-label={`${t("filters.delete")}: ${title}`}
            onClick={() => void removeFilter(filter)}
          >
            {t("filters.delete")}
          </button>
        </div>
      </section>
    </li>
  );
}
