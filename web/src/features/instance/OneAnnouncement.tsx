import "../../i18n/small";
import { useTranslation } from "../../lib/speech";
import type { Announcement } from "./announced";
import { Prose } from "../../ui/Prose";
import { dateAndTime } from "../../lib/dates";

/** An announcement: its title, its text, and when it shows. */
export function OneAnnouncement({ of, now }: { of: Announcement; now?: number }) {
  const { t, i18n } = useTranslation("small");
  const when = (at: string) => dateAndTime(at, i18n.language);
  return (
    <>
      <h2 dir="auto">{of.title}</h2>
      {of.html && <Prose html={of.html} />}
      <p className="muted">
        {of.endsAt
          ? t("announcements.until", { from: when(of.startsAt), to: when(of.endsAt) })
          : t("announcements.since", { when: when(of.startsAt) })}
        {now && of.endsAt && Date.parse(of.endsAt) <= now ? ` ${t("admin.ended")}` : ""}
      </p>
    </>
  );
}
