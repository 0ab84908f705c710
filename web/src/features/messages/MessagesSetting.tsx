import "../../i18n/messages";
import { useTranslation } from "../../lib/speech";
import { useChosen } from "../../lib/choices";
import { chooseMine } from "../../lib/me";
import type { Messengers } from "./messages";
import { useMe } from "../../lib/session";

const who: Messengers[] = ["everybody", "following", "nobody"];

/** Who may write messages to the reader. */
export function MessagesSetting() {
  const { t } = useTranslation("messages");
  const me = useChosen(useMe()!);
  return (
    <section>
      <h2>{t("setting.title")}</h2>
      <label className="field">
        <span>{t("setting.from")}</span>
        <select
          className="input"
          value={me.messagesFrom ?? "everybody"}
          onChange={(event) =>
            void chooseMine(me, "messagesFrom", event.target.value as Messengers)
          }
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
