import "../../i18n/policy";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { choosePolicy, usePolicy } from "./policy";
import { Failed } from "../../ui/states";

const groups = ["notFollowed", "notFollowers", "newAccounts", "privateMentions"] as const;
const actions = ["accept", "filter", "drop"] as const;

/** What becomes of notifications of people whom the reader may not know. */
export function PolicySetting() {
  const { t } = useTranslation("policy");
  const { data, isError, error, refetch } = usePolicy();
  return (
    <section>
      <h2>{t("title")}</h2>
      {isError && !data ? (
        <Failed failure={error} again={() => void refetch()} />
      ) : (
        groups.map((group) => (
          <label key={group} className="field">
            <span>{t(`from.${group}`)}</span>
            <select
              className="input"
              value={data?.[group] ?? "accept"}
              disabled={!data}
              onChange={(event) =>
                void choosePolicy(data!, group, event.target.value as (typeof actions)[number])
              }
            >
              {actions.map((action) => (
                <option key={action} value={action}>
                  {t(`actions.${action}`)}
                </option>
              ))}
            </select>
            {(group === "newAccounts" || group === "privateMentions") && (
              <small>{t(`from.${group}Hint`)}</small>
            )}
          </label>
        ))
      )}
      <p className="muted">{t("hint")}</p>
      <Link className="button" href="/notifications/requests">
        {t("see")}
      </Link>
    </section>
  );
}
