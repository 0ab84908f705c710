import { useEffect } from "react";
import { dateAndTime } from "../../lib/dates";
import { useTranslation } from "../../lib/speech";
import { VolumeX } from "lucide-react";
import { rereadTies, tie, type Somebody } from "../people/ties";
import { unmute, type Muting } from "./quiet";

const longest = 2 ** 31 - 1; // milliseconds that a timer of browsers can wait

/** Says what the reader mutes of a person, and until when. */
export default function Muted({ user, muting }: { user: Somebody; muting: Muting }) {
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
