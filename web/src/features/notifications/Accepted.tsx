import { useTranslation } from "../../lib/speech";
import { PeopleList } from "../people/PeopleList";
import { noticeKeys } from "./keys";
import { acceptedPeople, takeBack } from "./policy";

/** The people who are let through whatever the policy says. */
export default function Accepted() {
  const { t } = useTranslation("policy");
  return (
    <section>
      <h2>{t("accepted.title")}</h2>
      <p className="muted">{t("accepted.hint")}</p>
      <PeopleList
        name={noticeKeys.accepted}
        page={acceptedPeople}
        note={() => ""}
        button={(user) => (
          <button
            className="button small"
            aria-label={t("requests.by", { act: t("accepted.back"), name: user.nickname })}
            onClick={() => void takeBack(user)}
          >
            {t("accepted.back")}
          </button>
        )}
      />
    </section>
  );
}
