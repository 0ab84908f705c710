import { useTranslation } from "../../../lib/speech";
import { Gauge } from "../../../ui/Gauge";
import { longest } from "./useSheet";

/** How many characters lists show. */
export const shown = 280;

/** How long the text is. The ring is full where lists stop showing it; much more than that fits. */
export function Count({ left }: { left: number }) {
  const { t } = useTranslation(["translation", "compose"]);
  const count = longest - left;
  return (
    <span className="push muted" role={left < 200 ? "status" : undefined}>
      {left < 1000 ? (
        t("compose.left", { count: left })
      ) : (
        <span className="counted" title={t("compose:counted", { count, shown })}>
          <Gauge part={Math.min(1, count / shown)} text={t("compose:counted", { count, shown })} />
        </span>
      )}
    </span>
  );
}

/** Says where lists cut a long text. */
export function Cut({ left }: { left: number }) {
  const { t, i18n } = useTranslation("compose");
  const number = new Intl.NumberFormat(i18n.language);
  if (longest - left <= shown) return null;
  return (
    <small className="muted cutnote">
      {t("cut", { shown: number.format(shown), total: number.format(longest - left) })}
    </small>
  );
}
