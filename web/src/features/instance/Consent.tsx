import { useEffect, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, HibanaError, queries, type User } from "../../lib/api";
import { answer } from "../../lib/consent";
import { sentence } from "../../lib/failures";
import { again, useInstance } from "./instance";
import { meKey, onEnd } from "../../lib/session";
import { Dialog } from "../../ui/Dialog";
import { Failed, Loading } from "../../ui/states";
import { Terms } from "./Terms";

onEnd(() => answer(false));

/** The window with terms to which the user has not agreed. Requests wait for the answer. */
export default function Consent() {
  const { t } = useTranslation("instance");
  const { data, error, isFetching, refetch } = useInstance();
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  // What was read before the refusal may be the former version.
  useEffect(() => void again(), []);
  const terms = data?.terms;
  const agree = async () => {
    setBusy(true);
    setFailure("");
    try {
      const { version } = await body(
        hibana.PUT("/v1/users/me/terms", { body: { version: terms!.version } }),
      );
      queries.setQueryData<User>(meKey, (me) => me && { ...me, termsVersion: version });
      answer(true);
    } catch (problem) {
      setFailure(sentence(problem));
      setBusy(false);
      if (problem instanceof HibanaError && problem.code === "terms_changed") void again();
    }
  };
  return (
    <Dialog title={t("terms.changed")} onClose={() => answer(false)}>
      <p>{t("terms.hint")}</p>
      {terms ? (
        // Whoever reads by keyboard scrolls it.
        <div className="termsbox" tabIndex={0} role="region" aria-label={t("terms.title")}>
          <Terms of={terms} />
        </div>
      ) : error ? (
        <Failed failure={error} again={() => void refetch()} />
      ) : isFetching ? (
        <Loading rows={1} />
      ) : (
        <p>{t("terms.none")}</p>
      )}
      {failure && (
        <p className="notice" role="alert">
          {failure}
        </p>
      )}
      <div className="termsacts">
        <button className="button" onClick={() => answer(false)}>
          {t("terms.later")}
        </button>
        <button
          className="button main"
          disabled={busy || isFetching || !terms}
          onClick={() => void agree()}
        >
          {t("terms.agree")}
        </button>
      </div>
    </Dialog>
  );
}
