import { PencilLine, Trash2 } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import { tell } from "../../lib/failures";
import { show } from "../../lib/overlays";
import { toast, undoable } from "../../lib/toast";
import { take, type Local } from "./drafts";
import { remove } from "./locals";
import { readTweet } from "./tweets";

/** What somebody began to write in this browser, and neither posted nor kept in the API. */
export function LocalDrafts({ drafts }: { drafts: Local[] }) {
  const { t } = useTranslation(["translation", "compose", "media"]);
  if (drafts.length === 0) return null;
  const open = async (local: Local) => {
    try {
      const tweet = local.id ? await readTweet(local.id) : undefined;
      take(local);
      const { about } = local;
      show({
        kind: "compose",
        ...(about === "reply"
          ? { replyTo: tweet }
          : about === "quote"
            ? { quoteOf: tweet }
            : about === "edit"
              ? { edit: tweet }
              : {}),
      });
    } catch (failure) {
      tell(failure);
    }
  };
  const drop = (local: Local) =>
    toast(t("compose:removed"), {
      duration: undoable,
      action: { label: t("tweet.undo"), onClick: remove(local) },
    });
  return (
    <section aria-label={t("compose:here")}>
      <div className="heading">
        <h2>{t("compose:here")}</h2>
        <p className="muted">{t("compose:hereHint")}</p>
      </div>
      <ul>
        {drafts.map((local) => (
          <li key={local.place}>
            <article className="told">
              <PencilLine aria-hidden="true" />
              <div style={{ display: "flex", gap: "var(--space-3)", alignItems: "start" }}>
                <button
                  style={{ flex: 1, textAlign: "start", minWidth: 0 }}
                  onClick={() => void open(local)}
                >
                  <p className="muted">{t(`compose:about.${local.about}`)}</p>
                  <p dir="auto">
                    {local.draft.summary ||
                      local.draft.content?.slice(0, 280) ||
                      t("media:group", { count: local.draft.media?.length ?? 0 })}
                  </p>
                </button>
                <button
                  className="icon"
                  aria-label={t("drafts.delete")}
                  onClick={() => drop(local)}
                >
                  <Trash2 size={18} aria-hidden="true" />
                </button>
              </div>
            </article>
          </li>
        ))}
      </ul>
    </section>
  );
}
