import "../../i18n/quiet";
import "../../styles/quiet.css";
import { Ban, VolumeX } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "../../lib/speech";
import { rereadTies, tie, useTies, type Somebody } from "../people/ties";
import { unmute, type Muting } from "./quiet";
import { dateAndTime } from "../../lib/dates";

const longest = 2 ** 31 - 1; // milliseconds that a timer of browsers can wait

/** Says on a profile that the reader mutes or blocks the person. */
export function Hushed({ user }: { user: Somebody }) {
  const { t } = useTranslation("quiet");
  const ties = useTies(user.id).data;
  if (ties?.blocking)
    return (
      <p className="hushed">
        <Ban size={18} aria-hidden="true" />
        <span>{t("block.is", { name: user.nickname })}</span>
      </p>
    );
  return ties?.muting ? <Muted user={user} muting={ties.muting} /> : null;
}

function Muted({ user, muting }: { user: Somebody; muting: Muting }) {
  const { part, until } = muting;
  const { t, i18n } = useTranslation("quiet");
  // An open profile says no more of a mute that ends.
  useEffect(() => {
    if (until === null) return;
    const wait = Math.max(0, Date.parse(until) - Date.now());
    if (wait > longest) return;
    const due = setTimeout(() => (tie(user.id, { muting: undefined }), rereadTies(user.id)), wait);
    return () => clearTimeout(due);
  }, [user.id, until]);
  const name = user.nickname;
  return (
    <p className="hushed">
      <VolumeX size={18} aria-hidden="true" />
      <span>
        {until === null
          ? t(`is.${part}`, { name })
          : t(`is.${part}Until`, { name, when: dateAndTime(until, i18n.language) })}
      </span>
      <button className="button small" onClick={() => void unmute(user, muting)}>
        {t("unmute")}
      </button>
    </p>
  );
}
