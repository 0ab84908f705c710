import "../../i18n/lists";
import { useTranslation } from "../../lib/speech";
import { followTag, useFollowsTag } from "../lists/lists";

/** Follows a tag, or ends that. */
export function TagFollow({ tag, on: read }: { tag: string; on: boolean }) {
  const { t } = useTranslation("lists");
  const on = useFollowsTag(tag, read);
  return (
    <button
      className={on ? "button small" : "button small main"}
      aria-pressed={on}
      aria-label={t(on ? "tags.unfollow" : "tags.follow", { tag })}
      onClick={() => void followTag(tag, !on)}
    >
      {t(on ? "tags.following" : "tags.start")}
    </button>
  );
}
