import { useId, type ReactNode } from "react";
import { useTranslation } from "../../../lib/speech";
import type { Draft } from "../drafts";
import { languageName, languages, remember } from "./languages";
import { Policies } from "./Policies";
import { narrower } from "./subject";

interface Props {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  /** The audience of the tweet that this one answers. */
  than?: Draft["visibility"] | undefined;
  /** Whether the draft is of the API, and the tweet that it answers is not known here. */
  answers: boolean;
  edits: boolean;
}

/** Who may see a tweet, who may reply, and its language, in one row. */
export function Row({ draft, set, than = "public", answers, edits }: Props) {
  const { t } = useTranslation(["translation", "compose"]);
  return (
    <div className="who" role="group" aria-label={t("compose:who")}>
      <Audience draft={draft} set={set} than={than} answers={answers} />
      <Policies
        label={t("compose.replyPolicy")}
        value={draft.replyPolicy}
        onChange={(replyPolicy) => set({ replyPolicy })}
      />
      {!edits && (
        <Language value={draft.language ?? ""} onChange={(language) => set({ language })} />
      )}
    </div>
  );
}

function Choice({
  label,
  value,
  onChange,
  children,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="input"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {children}
      </select>
    </div>
  );
}

function Audience({
  draft,
  set,
  than,
  answers,
}: Pick<Props, "draft" | "set" | "answers"> & { than: Draft["visibility"] }) {
  const { t } = useTranslation(["translation", "compose"]);
  const { visibility, to, cc, byDefault } = draft;
  const users = [...(to ?? []), ...(cc ?? [])].filter(
    (one) => one !== "public" && one !== "followers",
  );
  const named = to !== undefined || cc !== undefined;
  return (
    <Choice
      label={t("compose.audience")}
      value={named ? "named" : byDefault && answers ? "default" : visibility}
      onChange={(value) =>
        set({
          visibility: value as Draft["visibility"],
          to: undefined,
          cc: undefined,
          byDefault: false,
        })
      }
    >
      {named && (
        <option value="named">
          {t("compose:named", {
            count: users.length,
            audience: t(`tweet.visibility.${visibility}`),
          })}
        </option>
      )}
      {byDefault && answers && <option value="default">{t("compose:default")}</option>}
      {narrower(than).map((who) => (
        <option key={who} value={who}>
          {t(`tweet.visibility.${who}`)}
        </option>
      ))}
    </Choice>
  );
}

function Language({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation("compose");
  const known = value === "" || languages.includes(value) ? languages : [value, ...languages];
  return (
    <Choice
      label={t("language")}
      value={value}
      onChange={(language) => {
        remember(language);
        onChange(language);
      }}
    >
      <option value="">{t("noLanguage")}</option>
      {known.map((tag) => (
        <option key={tag} value={tag}>
          {languageName(tag)}
        </option>
      ))}
    </Choice>
  );
}
