import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import type { Schemas } from "../../lib/api";
import { sentence } from "../../lib/failures";
import { saveFilter, type Filter } from "./filters";
import { toast } from "../../lib/toast";
import { Dialog } from "../../ui/Dialog";
import { FilterWords, noWord } from "./FilterWords";
import { Toggle } from "../../ui/Toggle";
import { Wrong } from "../../ui/Wrong";

type Body = Schemas["FilterBody"];
type Place = Body["contexts"][number];

const places: Place[] = ["home", "thread", "public", "notifications", "profile"];
const hour = 3_600_000; // milliseconds
const ends = { never: 0, hour, day: 24 * hour, week: 7 * 24 * hour, date: 0 };
type End = keyof typeof ends;

/** Makes a filter, or changes one. */
export function FilterForm({
  filter,
  onClose,
}: {
  filter?: Filter | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation("quiet");
  // A request that is sent again after a lost answer makes no second filter.
  const [id] = useState(filter?.id ?? crypto.randomUUID());
  const [version] = useState(filter?.version);
  const [title, setTitle] = useState(filter?.title ?? "");
  const [words, setWords] = useState(filter?.keywords ?? [noWord]);
  const [action, setAction] = useState<Body["action"]>(filter?.action ?? "warn");
  const [where, setWhere] = useState<Place[]>(filter?.contexts ?? places);
  const [end, setEnd] = useState<End>(filter?.expiresAt ? "date" : "never");
  const [date, setDate] = useState(filter?.expiresAt ? local(filter.expiresAt) : "");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);

  const save = async () => {
    const keywords = words
      .map((one) => ({ ...one, keyword: one.keyword.trim() }))
      .filter((one) => one.keyword !== "");
    const until = end === "date" ? Date.parse(date) : Date.now() + ends[end];
    // An ended filter may be changed, and stays ended.
    const kept = filter?.expiresAt !== undefined && date === local(filter.expiresAt);
    const missing =
      title.trim() === ""
        ? t("filters.noTitle")
        : keywords.length === 0
          ? t("filters.noWord")
          : where.length === 0
            ? t("filters.noPlace")
            : end === "date" && !kept && !(until > Date.now())
              ? t("filters.noDate")
              : "";
    setFailure(missing);
    if (missing) return;
    setBusy(true);
    try {
      const body = {
        title: title.trim(),
        keywords,
        action,
        contexts: where,
        ...(end === "date" && kept
          ? { expiresAt: filter?.expiresAt }
          : end !== "never" && { expiresAt: new Date(until).toISOString() }),
      };
      await saveFilter(id, body, version);
      toast.success(t("filters.saved"));
      onClose();
    } catch (problem) {
      setFailure(sentence(problem));
      setBusy(false);
    }
  };

  return (
    <Dialog title={t(filter ? "filters.edit" : "filters.new")} onClose={onClose} plain>
      <form
        className="inside"
        noValidate
        onSubmit={(event) => (event.preventDefault(), void save())}
      >
        <label className="field">
          <span>{t("filters.title")}</span>
          <input
            className="input"
            maxLength={100}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
          <small>{t("filters.titleHint")}</small>
        </label>
        <FilterWords words={words} onChange={setWords} />
        <label className="field">
          <span>{t("filters.action")}</span>
          <select
            className="input"
            value={action}
            onChange={(event) => setAction(event.target.value as Body["action"])}
          >
            <option value="warn">{t("filters.actions.warn")}</option>
            <option value="hide">{t("filters.actions.hide")}</option>
          </select>
        </label>
        <fieldset className="group">
          <legend>{t("filters.where")}</legend>
          {places.map((place) => (
            <Toggle
              key={place}
              label={t(`filters.contexts.${place}`)}
              on={where.includes(place)}
              onChange={(on) =>
                setWhere(places.filter((one) => (one === place ? on : where.includes(one))))
              }
            />
          ))}
        </fieldset>
        <label className="field">
          <span>{t("filters.end")}</span>
          <select
            className="input"
            value={end}
            onChange={(event) => setEnd(event.target.value as End)}
          >
            {(Object.keys(ends) as End[]).map((one) => (
              <option key={one} value={one}>
                {t(`filters.ends.${one}`)}
              </option>
            ))}
          </select>
        </label>
        {end === "date" && (
          <label className="field">
            <span>{t("filters.date")}</span>
            <input
              className="input"
              type="datetime-local"
              value={date}
              onChange={(event) => setDate(event.target.value)}
            />
          </label>
        )}
        <Wrong text={failure} />
        <button className="button main" disabled={busy}>
          {t("filters.save")}
        </button>
      </form>
    </Dialog>
  );
}

/** A time as a field for it has it, in the reader's zone. */
function local(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
