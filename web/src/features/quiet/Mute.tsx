import "../../i18n/quiet";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { sentence } from "../../lib/failures";
import type { Somebody } from "../people/ties";
import { mute, type Muting } from "./quiet";
import { Dialog } from "../../ui/Dialog";
import { Toggle } from "../../ui/Toggle";
import { Wrong } from "../../ui/Wrong";

const hour = 3600; // seconds
const times = { hour, day: 24 * hour, week: 7 * 24 * hour, ever: undefined };
const parts = ["all", "shares", "replies"] as const;

/** Asks what to mute of a person, and for how long. */
export function Mute({ user, onClose }: { user: Somebody; onClose: () => void }) {
  const { t } = useTranslation("quiet");
  const [part, setPart] = useState<Muting["part"]>("all");
  const [time, setTime] = useState<keyof typeof times>("hour");
  const [hideNotifications, setNotices] = useState(true);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const send = async () => {
    setBusy(true);
    setFailure("");
    try {
      await mute(user, { part, seconds: times[time], hideNotifications });
      onClose();
    } catch (problem) {
      setFailure(sentence(problem));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("mute.title", { name: user.nickname })} onClose={onClose} plain>
      <form className="inside" onSubmit={(event) => (event.preventDefault(), void send())}>
        <label className="field">
          <span>{t("mute.part")}</span>
          <select
            className="input"
            value={part}
            onChange={(event) => setPart(event.target.value as Muting["part"])}
          >
            {parts.map((one) => (
              <option key={one} value={one}>
                {t(`mute.parts.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{t("mute.time")}</span>
          <select
            className="input"
            value={time}
            onChange={(event) => setTime(event.target.value as keyof typeof times)}
          >
            {(Object.keys(times) as (keyof typeof times)[]).map((one) => (
              <option key={one} value={one}>
                {t(`mute.times.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <Toggle label={t("mute.notices")} on={hideNotifications} onChange={setNotices} />
        <p className="muted plain">{t("mute.hint", { name: user.nickname })}</p>
        <Wrong text={failure} />
        <button className="button main" disabled={busy}>
          {t("mute.send")}
        </button>
      </form>
    </Dialog>
  );
}
