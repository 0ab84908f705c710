import "../../i18n/lists";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { followTag } from "../lists/lists";

/** Follows a tag, or ends that. */
export function TagFollow({ tag, on }: { tag: string; on: boolean }) {
  const { t } = useTranslation("lists");
  const [busy, setBusy] = useState(false);
  return (
    <button
      className={on ? "button small" : "button small main"}
      aria-pressed={on}
      aria-label={t(on ? "tags.unfollow" : "tags.follow", { tag })}
      disabled={busy}
      onClick={() => {
        setBusy(true);
        void followTag(tag, !on).finally(() => setBusy(false));
      }}
    >
      {t(on ? "tags.following" : "tags.start")}
    </button>
  );
}
