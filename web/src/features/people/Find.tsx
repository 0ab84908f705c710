import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana } from "../../lib/api";
import { languageName, languages, useSuggestions } from "./find";
import { Top } from "../../ui/Top";
import { PeopleList } from "./PeopleList";
import { Suggested } from "./Suggested";
import { Empty, Failed, Loading } from "../../ui/states";
import { useMe } from "../../lib/session";
import { peopleKeys } from "./keys";

/** People to follow: those who are suggested to the reader, and those who want to be found. */
export default function Find() {
  const { t } = useTranslation("find");
  const me = useMe();
  const [listed, setListed] = useState(false);
  const directory = listed || !me;
  return (
    <div className="find">
      <Top title={t("title")} />
      {me && (
        <div className="tabs">
          <button aria-current={directory ? undefined : "page"} onClick={() => setListed(false)}>
            {t("forYou")}
          </button>
          <button aria-current={directory ? "page" : undefined} onClick={() => setListed(true)}>
            {t("directory")}
          </button>
        </div>
      )}
      {directory ? <Directory /> : <ForYou />}
    </div>
  );
}

function ForYou() {
  const { t } = useTranslation("find");
  const { data, error, refetch } = useSuggestions();
  if (!data)
    return error ? (
      <Failed failure={error} again={() => void refetch()} />
    ) : (
      <Loading as="people" rows={4} />
    );
  if (data.length === 0) return <Empty title={t("none")} hint={t("noneHint")} />;
  return (
    <ul>
      {data.map((one) => (
        <Suggested key={one.user.id} one={one} />
      ))}
    </ul>
  );
}

function Directory() {
  const { t, i18n } = useTranslation("find");
  const [order, setOrder] = useState<"new" | "popular">("new");
  const [language, setLanguage] = useState("");
  return (
    <>
      <div className="chooser">
        <label className="field">
          <span>{t("order")}</span>
          <select
            className="input"
            value={order}
            onChange={(event) => setOrder(event.target.value as typeof order)}
          >
            <option value="new">{t("newest")}</option>
            <option value="popular">{t("popular")}</option>
          </select>
        </label>
        <label className="field">
          <span>{t("language")}</span>
          <select
            className="input"
            value={language}
            onChange={(event) => setLanguage(event.target.value)}
          >
            <option value="">{t("everyLanguage")}</option>
            {languages.map((tag) => (
              <option key={tag} value={tag}>
                {languageName(tag, i18n.language)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PeopleList
        name={peopleKeys.directoryBy(order, language)}
        empty={t("directoryNone")}
        page={(pageToken) =>
          body(
            hibana.GET("/v1/directory", {
              params: { query: { order, language, pageToken, format: "html" } },
            }),
          )
        }
      />
    </>
  );
}
