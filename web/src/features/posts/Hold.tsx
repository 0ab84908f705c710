import "../../i18n/held";
import { useEffect } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { queries } from "../../lib/api";
import { useChosen } from "../../lib/choices";
import { chooseMine } from "../../lib/me";
import { meKey, useMe } from "../../lib/session";
import { Toggle } from "../../ui/Toggle";

/** Whether replies of strangers wait, and the way to those that do. */
export function HoldSetting() {
  const { t } = useTranslation("held");
  const me = useChosen(useMe()!);
  return (
    <section>
      <h2>{t("title")}</h2>
      <Toggle
        label={t("setting")}
        on={me.holdReplies === "strangers"}
        onChange={(on) => void chooseMine(me, "holdReplies", on ? "strangers" : "off")}
      />
      <p className="muted">{t("settingHint")}</p>
      <Link className="button" href="/held">
        {t("see")}
      </Link>
    </section>
  );
}

/** How many replies wait for the reader; nothing if none does. */
export function HeldCount() {
  const { t } = useTranslation("held");
  const me = useMe();
  const holds = me?.holdReplies === "strangers";
  useEffect(() => {
    if (holds) void queries.invalidateQueries({ queryKey: meKey });
  }, [holds]);
  if (!me?.heldReplies) return null;
  return (
    <Link className="openbranch" href="/held">
      {t("count", { count: me.heldReplies })}
    </Link>
  );
}
