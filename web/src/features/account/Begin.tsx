import "../../i18n/later";
import "../../styles/instance.css";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { body, hibana, HibanaError, queries } from "../../lib/api";
import { sentence, tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { again, invited, joined, useInstance } from "../instance/instance";
import { Dialog } from "../../ui/Dialog";
import { Fireworks } from "../../ui/Spark";
import { Failed } from "../../ui/states";
import { Terms } from "../instance/Terms";
import { meKey, signOut } from "../../lib/session";
import { useTitle } from "../../lib/title";
import { signUpKey, useSignUp } from "./signups";

const Waiting = lazy(() => import("./Waiting"));

/** The first page of a new account: a username. */
export default function Begin() {
  const { t } = useTranslation(["translation", "instance"]);
  useTitle(t("sign.profileTitle"));
  const instance = useInstance();
  const terms = instance.data?.termsNeeded ? instance.data.terms : undefined;
  const code = invited(useSearch());
  const asks = (instance.data?.approvalNeeded ?? false) && !code;
  const waits = useSignUp(instance.data?.approvalNeeded ?? false);
  const [path] = useLocation();
  const [changing, setChanging] = useState(false);
  const [reading, setReading] = useState(false);
  const [agreed, setAgreed] = useState<number>();
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const begin = async (form: FormData) => {
    setBusy(true);
    setFailure("");
    try {
      const nickname = typed(form, "nickname");
      const invitation = typed(form, "invitation");
      const reason = typed(form, "reason");
      const me = await body(
        hibana.POST("/v1/users", {
          body: {
            username: typed(form, "username").toLowerCase(),
            ...(nickname ? { nickname } : {}),
            ...(invitation ? { invitation } : {}),
            ...(agreed ? { termsVersion: agreed } : {}),
            ...(reason ? { reason } : {}),
          },
        }),
      );
      if ("state" in me) {
        queries.setQueryData(signUpKey, me);
        setChanging(false);
        setBusy(false);
        return;
      }
      joined();
      queries.setQueryData(meKey, me);
    } catch (problem) {
      setFailure(sentence(problem));
      setBusy(false);
      // The terms, or what a sign-up needs, may have changed since this page was read.
      if (problem instanceof HibanaError && /^(terms|invitation|sign_up)_/.test(problem.code))
        void again();
    }
  };
  if (waits.data && !changing)
    return (
      <Suspense>
        <Waiting of={waits.data} onChange={() => setChanging(true)} />
      </Suspense>
    );
  return (
    <main className="welcome" id="content">
      <div className="sky">
        <Fireworks seed="begin" count={3} tall />
        <div>
          <h1>{t("sign.profileTitle")}</h1>
          <p>{t("sign.profileHint")}</p>
          {/^\/admin(\/|$)/.test(path) && <p>{t("sign.adminHint")}</p>}
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
          {instance.isError && !instance.data && (
            <Failed failure={instance.error} again={() => void instance.refetch()} />
          )}
          {(instance.data?.invitationNeeded || code) && (
            <label className="field">
              <span>{t("instance:join.code")}</span>
              <input
                className="input"
                name="invitation"
                defaultValue={code}
                required={instance.data?.invitationNeeded}
                maxLength={64}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                dir="ltr"
              />
              <small>{t("instance:join.codeHint")}</small>
            </label>
          )}
          {asks && (
            <label className="field">
              <span>{t("instance:signUps.reason")}</span>
              <textarea
                className="input"
                name="reason"
                maxLength={500}
                rows={3}
                dir="auto"
                defaultValue={waits.data?.reason}
              />
              <small>{t("instance:signUps.reasonHint")}</small>
            </label>
          )}
          {terms && (
            <div className="field">
              <label className="termscheck">
                <input
                  type="checkbox"
                  required
                  checked={agreed === terms.version}
                  onChange={(event) => setAgreed(event.target.checked ? terms.version : undefined)}
                />
                {t("instance:terms.consent")}
              </label>
              <button type="button" className="linklike" onClick={() => setReading(true)}>
                {t("instance:terms.read")}
              </button>
            </div>
          )}
          <div className="field">{failure && <span role="alert">{failure}</span>}</div>
          <button className="button main wide" disabled={busy}>
            {t("sign.begin")}
          </button>
          <button type="button" className="linklike" onClick={() => void signOut().catch(tell)}>
            {t("settings.signOut")}
          </button>
        </form>
      </div>
      {reading && terms && (
        <Dialog title={t("instance:terms.title")} onClose={() => setReading(false)}>
          <Terms of={terms} />
        </Dialog>
      )}
    </main>
  );
}
