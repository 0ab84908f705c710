import "../../styles/instance.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { sentence, tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { toast } from "../../lib/toast";
import { Failed, Loading } from "../../ui/states";
import { adminKeys } from "./keys";
import { dateAndTime } from "../../lib/dates";

const key = adminKeys.signUpBlocks;
const again = () => queries.invalidateQueries({ queryKey: key });

/** The e-mail domains and networks from which nobody signs up, and a form for another one. */
export default function AdminSignUpBlocks() {
  const all = useQuery({
    queryKey: key,
    meta: { keep: false },
    queryFn: () => body(hibana.GET("/v1/admin/sign-up-blocks")),
  });
  return (
    <>
      <Form />
      {all.isPending && <Loading rows={1} />}
      {all.isError && <Failed failure={all.error} again={() => void all.refetch()} />}
      {all.data?.items.map((one) => (
        <One key={one.of} of={one} />
      ))}
    </>
  );
}

function One({ of }: { of: Schemas["SignUpBlock"] }) {
  const { t, i18n } = useTranslation("instance");
  const remove = async () => {
    try {
      await hibana.DELETE("/v1/admin/sign-up-blocks", { params: { query: { of: of.of } } });
      toast.success(t("blocks.removed", { of: of.of }));
    } catch (failure) {
      tell(failure);
    }
    void again();
  };
  return (
    <section aria-label={of.of}>
      <h2 className="instancepart" dir="ltr">
        {of.of}
      </h2>
      {of.comment && (
        <p className="instancepart" dir="auto">
          {of.comment}
        </p>
      )}
      <div className="instancerow">
        <p className="muted">
          {t(of.severity === "refusal" ? "blocks.refuses" : "blocks.waits")}
          {of.expireAt && (
            <> · {t("blocks.until", { when: dateAndTime(of.expireAt, i18n.language) })}</>
          )}
        </p>
        <button
          className="button small danger"
          aria-label={t("blocks.removeOf", { of: of.of })}
          onClick={() => void remove()}
        >
          {t("blocks.remove")}
        </button>
      </div>
    </section>
  );
}

function Form() {
  const { t } = useTranslation("instance");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const add = async (form: HTMLFormElement) => {
    setBusy(true);
    setFailure("");
    const data = new FormData(form);
    const [of, comment, days] = [
      typed(data, "of"),
      typed(data, "comment"),
      Number(typed(data, "days")),
    ];
    const severity = typed(data, "severity") === "approval" ? "approval" : "refusal";
    try {
      await hibana.PUT("/v1/admin/sign-up-blocks", {
        params: { query: { of } },
        body: { severity, ...(comment ? { comment } : {}), ...(days ? { days } : {}) },
      });
      form.reset();
      toast.success(t("blocks.added", { of }));
      void again();
    } catch (problem) {
      setFailure(sentence(problem));
    }
    setBusy(false);
  };
  return (
    <section>
      <h2>{t("blocks.title")}</h2>
      <p className="muted">{t("blocks.hint")}</p>
      <form onSubmit={(event) => (event.preventDefault(), void add(event.currentTarget))}>
        <label className="field">
          <span>{t("blocks.of")}</span>
          <input
            className="input"
            name="of"
            required
            maxLength={260}
            dir="ltr"
            autoComplete="off"
            placeholder="example.com, 192.0.2.0/24"
          />
        </label>
        <div className="instancerow">
          <label className="field">
            <span>{t("blocks.severity")}</span>
            <select className="input" name="severity" defaultValue="refusal">
              <option value="refusal">{t("blocks.refuses")}</option>
              <option value="approval">{t("blocks.waits")}</option>
            </select>
          </label>
          <label className="field">
            <span>{t("blocks.days")}</span>
            <input
              className="input"
              name="days"
              type="number"
              min={0}
              max={3650}
              required
              defaultValue={0}
            />
          </label>
        </div>
        <label className="field">
          <span>{t("blocks.comment")}</span>
          <input className="input" name="comment" maxLength={100} dir="auto" />
        </label>
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <button className="button main" disabled={busy}>
          {t("blocks.add")}
        </button>
      </form>
    </section>
  );
}
