import "../../i18n/small";
import "../../styles/small.css";
import { useTranslation } from "../../lib/speech";
import { Top } from "../../ui/Top";
import { OneAnnouncement } from "./OneAnnouncement";
import { Parent } from "../../ui/Parent";
import { Empty, Failed, Loading } from "../../ui/states";
import { dismiss, useAnnouncements } from "./announced";

/** What the administrators tell everybody now. */
export default function Announcements() {
  const { t } = useTranslation("small");
  const all = useAnnouncements();
  return (
    <>
      <Top title={t("announcements.title")} />
      <div className="settings announcements">
        <Parent />
        {all.isPending && <Loading rows={2} />}
        {all.isError && <Failed failure={all.error} again={() => void all.refetch()} />}
        {all.data?.length === 0 && <Empty title={t("announcements.none")} />}
        {all.data?.map((one) => (
          <section key={one.id} id={one.id}>
            <OneAnnouncement of={one} />
            {!one.dismissed && (
              <button
                className="button small"
                aria-label={`${t("announcements.dismiss")}: ${one.title}`}
                onClick={() => void dismiss(one.id)}
              >
                {t("announcements.dismiss")}
              </button>
            )}
          </section>
        ))}
      </div>
    </>
  );
}
