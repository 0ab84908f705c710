import "../../i18n/messages";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, queries } from "../../lib/api";
import { tell } from "../../lib/failures";
import type { Messengers } from "./messages";
import { meKey, useMe } from "../../lib/session";
import { toast } from "../../lib/toast";

const who: Messengers[] = ["everybody", "following", "nobody"];

/** Who may write messages to the reader. */
export function MessagesSetting() {
  const { t } = useTranslation(["messages", "translation"]);
  const me = useMe()!;
  const [sending, setSending] = useState(false);
  const choose = async (from: Messengers) => {
    setSending(true);
    try {
      queries.setQueryData(
        meKey,
        await body(
          hibana.PATCH("/v1/users/{uid}", {
            params: { path: { uid: me.id } },
            body: { messagesFrom: from },
          }),
        ),
      );
      toast.success(t("translation:settings.saved"));
    } catch (failure) {
      tell(failure);
    }
    setSending(false);
  };
  return (
    <section>
      <h2>{t("setting.title")}</h2>
      <label className="field">
        <span>{t("setting.from")}</span>
        <select
          className="input"
          value={me.messagesFrom ?? "everybody"}
          disabled={sending}
          onChange={(event) => void choose(event.target.value as Messengers)}
        >
          {who.map((one) => (
            <option key={one} value={one}>
              {t(`setting.${one}`)}
            </option>
          ))}
        </select>
      </label>
    </section>
  );
}
