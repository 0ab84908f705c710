import "../i18n/later";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { body, hibana, queries } from "../api";
import { sentence } from "../failures";
import { typed } from "../forms";
import { Fireworks } from "../parts/Spark";
import { meKey, signOut } from "../session";

/** The first page of a new account: a username. */
export default function Begin() {
  const { t } = useTranslation();
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const begin = async (form: FormData) => {
    setBusy(true);
    setFailure("");
    try {
      const nickname = typed(form, "nickname");
      const me = await body(
        hibana.POST("/v1/users", {
          body: {
            username: typed(form, "username").toLowerCase(),
            ...(nickname ? { nickname } : {}),
          },
        }),
      );
      queries.setQueryData(meKey, me);
    } catch (problem) {
      setFailure(sentence(problem));
      setBusy(false);
    }
  };
  return (
    <main className="welcome" id="content">
      <div className="sky">
        <Fireworks seed="begin" count={3} tall />
        <div>
          <h1>{t("sign.profileTitle")}</h1>
          <p>{t("sign.profileHint")}</p>
        </div>
      </div>
      <div className="door">
        <form
          onSubmit={(event) => (
            event.preventDefault(),
            void begin(new FormData(event.currentTarget))
          )}
        >
          <label className="field">
            <span>{t("settings.username")}</span>
            <input
              className="input"
              name="username"
              required
              minLength={3}
              maxLength={20}
              pattern="[A-Za-z0-9_]+"
              autoComplete="username"
              autoCapitalize="none"
            />
            <small>{t("errors.invalid_username")}</small>
          </label>
          <label className="field">
            <span>{t("settings.nickname")}</span>
            <input className="input" name="nickname" maxLength={50} autoComplete="nickname" />
          </label>
          <div className="field">{failure && <span role="alert">{failure}</span>}</div>
          <button className="button main wide" disabled={busy}>
            {t("sign.begin")}
          </button>
          <button type="button" className="linklike" onClick={() => void signOut()}>
            {t("settings.signOut")}
          </button>
        </form>
      </div>
    </main>
  );
}
