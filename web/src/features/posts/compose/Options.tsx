import { useTranslation } from "../../../lib/speech";
import { Toggle } from "../../../ui/Toggle";
import type { Draft } from "../drafts";
import { Policies } from "./Policies";
import { ahead, local } from "./subject";

/** What few people change: when to post, who may quote, and whether there are sparks. */
export function Options({
  draft,
  set,
  at,
  onAt,
}: {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  at: string;
  /** Absent for an edit, which has no time. */
  onAt: ((at: string) => void) | undefined;
}) {
  const { t } = useTranslation();
  const later = (days: number) => local(new Date(Date.now() + days * 86_400_000).toISOString());
  return (
    <div className="field">
      {onAt && (
        <label className="field">
          <span>{t("compose.at")}</span>
          <input
            className="input"
            type="datetime-local"
            value={at}
            min={later(0)}
            max={later(ahead)}
            onChange={(event) => onAt(event.target.value)}
          />
        </label>
      )}
      <Policies
        label={t("compose.quotePolicy")}
        value={draft.quotePolicy}
        onChange={(quotePolicy) => set({ quotePolicy })}
      />
      <Toggle
        label={t("compose.allowLikes")}
        on={draft.allowLikes}
        onChange={(allowLikes) => set({ allowLikes })}
      />
    </div>
  );
}
