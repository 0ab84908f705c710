import "../../i18n/held";
import { useEffect, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, queries } from "../../lib/api";
import { tell } from "../../lib/failures";
import { meKey, useMe } from "../../lib/session";
import { toast } from "../../lib/toast";
import { Toggle } from "../../ui/Toggle";

/** Whether replies of strangers wait, and the way to those that do. */
export function HoldSetting() {
  const { t } = useTranslation(["held", "translation"]);
  const me = useMe()!;
  const [sending, setSending] = useState(false);
  const choose = async (on: boolean) => {
    setSending(true);
    try {
      const after = await body(
        hibana.PATCH("/v1/users/{uid}", {
          params: { path: { uid: me.id } },
          body: { holdReplies: on ? "strangers" : "off" },
        }),
      );
      queries.setQueryData(meKey, after);
      toast.success(t("translation:settings.saved"));
    } catch (failure) {
      tell(failure);
    }
    setSending(false);
  };
  return (
    <section>
      <h2>{t("title")}</h2>
      <Toggle
        label={t("setting")}
        on={me.holdReplies === "strangers"}
        disabled={sending}
        onChange={(on) => void choose(on)}
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
