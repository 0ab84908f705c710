import { useTranslation } from "../../../lib/speech";
import { HibanaError } from "../../../lib/api";
import { sentence } from "../../../lib/failures";
import { ahead } from "./subject";

/** Why something was not posted: what the API said, or what was seen before anything was sent. */
export function Failure({ of }: { of: unknown }) {
  const { t } = useTranslation(["translation", "media", "compose"]);
  if (of === undefined) return null;
  const api = of instanceof HibanaError ? of : undefined;
  return (
    <p className="notice" role="alert">
      {of === "files"
        ? t("media:attach.broken")
        : of === "poll"
          ? t("compose:poll")
          : of === "time"
            ? t("compose:time", { days: ahead })
            : api?.status === 412
              ? t("compose.conflict")
              : api?.code === "media_in_use"
                ? t("media:attach.posted") // perhaps by this form, whose answer was lost
                : sentence(of)}
    </p>
  );
}
