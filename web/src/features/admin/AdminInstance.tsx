import "../../styles/instance.css";
import { useState, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, type Schemas } from "../../lib/api";
import { sentence } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { put, useInstance, type Instance } from "../instance/instance";
import { toast } from "../../lib/toast";
import { Dialog } from "../../ui/Dialog";
import { Failed, Loading } from "../../ui/states";
import { Toggle } from "../../ui/Toggle";
import { dateAndTime } from "../../lib/dates";

/** What administrators say of the instance, and the terms. */
export default function AdminInstance() {
  const { data, error, isFetching, refetch } = useInstance();
  // What the browser kept may be days old: the form begins with what is read now.
  const [begun, begin] = useState<Instance>();
  if (!begun && data && !isFetching && !error) begin(data);
  if (!data || !begun)
    return error ? <Failed failure={error} again={() => void refetch()} /> : <Loading rows={3} />;
  // What is typed stays while the instance is read anew.
  return (
    <div className="settings">
      <Facts begun={begun} />
      <Publish of={data} />
    </div>
  );
}

async function change(patch: Schemas["InstancePatch"]): Promise<void> {
  // The public answer may be a minute old: the form would begin with it again.
  put(await body(hibana.PATCH("/v1/admin/instance", { body: patch })));
}

function Facts({ begun }: { begun: Instance }) {
  const { t } = useTranslation("instance");
  const [rules, setRules] = useState(begun.rules);
  const [invitationNeeded, setNeeded] = useState(begun.invitationNeeded);
  const [approvalNeeded, setApproval] = useState(begun.approvalNeeded);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const [last, setLast] = useState({
    ...begun,
    contactEmail: begun.contact.email ?? "",
    contactUser: begun.contact.userId ?? "",
  });
  const save = async (form: FormData) => {
    setBusy(true);
    setFailure("");
    const text = (name: string) => typed(form, name);
    try {
      const wanted = {
        name: text("name"),
        description: text("description"),
        rules: rules.map((rule) => rule.trim()).filter(Boolean),
        contactEmail: text("email"),
        contactUser: text("user"),
        languages: text("languages")
          .split(/[\s,、]+/)
          .filter(Boolean),
        invitationNeeded,
        approvalNeeded,
      };
      // What nobody changed is not sent: another administrator may have changed it.
      const changed = Object.entries(wanted).filter(
        ([key, value]) =>
          JSON.stringify(value) !== JSON.stringify(last[key as keyof typeof wanted]),
      );
      if (changed.length > 0) await change(Object.fromEntries(changed));
      setLast({ ...last, ...wanted });
      toast.success(t("admin.saved"), { description: t("admin.soon") });
    } catch (problem) {
      setFailure(sentence(problem));
    }
    setBusy(false);
  };
  return (
    <section>
      <h2>{t("admin.title")}</h2>
      <form onSubmit={submits(save)}>
        <Field label={t("admin.name")}>
          <input
            className="input"
            name="name"
            maxLength={100}
            dir="auto"
            defaultValue={begun.name}
          />
        </Field>
        <Field label={t("admin.description")} hint={t("admin.markdown")}>
          <textarea
            className="input"
            name="description"
            rows={4}
            maxLength={5000}
            dir="auto"
            defaultValue={begun.description}
          />
        </Field>
        <Rules all={rules} onChange={setRules} />
        <Field label={t("admin.email")}>
          <input
            className="input"
            name="email"
            type="email"
            maxLength={254}
            defaultValue={begun.contact.email}
          />
        </Field>
        <Field label={t("admin.user")}>
          <input
            className="input"
            name="user"
            maxLength={128}
            dir="ltr"
            defaultValue={begun.contact.userId}
          />
        </Field>
        <Field label={t("admin.languages")} hint={t("admin.languagesHint")}>
          <input
            className="input"
            name="languages"
            dir="ltr"
            defaultValue={begun.languages.join(" ")}
          />
        </Field>
        <Toggle label={t("admin.invitationNeeded")} on={invitationNeeded} onChange={setNeeded} />
        <Toggle label={t("signUps.needed")} on={approvalNeeded} onChange={setApproval} />
        <Alert text={failure} />
        <button className="button main" disabled={busy}>
          {t("admin.save")}
        </button>
      </form>
    </section>
  );
}

function Rules({ all, onChange }: { all: string[]; onChange: (all: string[]) => void }) {
  const { t } = useTranslation("instance");
  return (
    <fieldset className="field ruleslist">
      <legend>{t("about.rules")}</legend>
      {all.map((rule, n) => (
        <div key={n} className="instancerow">
          <input
            className="input"
            aria-label={t("admin.rule", { number: n + 1 })}
            maxLength={500}
            dir="auto"
            value={rule}
            onChange={(event) => onChange(all.with(n, event.target.value))}
          />
          <button
            type="button"
            className="button small danger"
            aria-label={t("admin.removeRule", { number: n + 1 })}
            onClick={() => onChange(all.toSpliced(n, 1))}
          >
            ×
          </button>
        </div>
      ))}
      {all.length < 30 && (
        <button type="button" className="button small" onClick={() => onChange([...all, ""])}>
          {t("admin.addRule")}
        </button>
      )}
    </fieldset>
  );
}

function Publish({ of }: { of: Instance }) {
  const { t, i18n } = useTranslation("instance");
  const [terms, setTerms] = useState(of.terms?.text ?? "");
  const [termsNeeded, setNeeded] = useState(of.termsNeeded);
  const [sameTerms, setSame] = useState(false);
  const [asked, ask] = useState(false);
  const [failure, setFailure] = useState("");
  const publish = async () => {
    setFailure("");
    try {
      await change({ terms: terms.trim(), termsNeeded, ...(sameTerms ? { sameTerms } : {}) });
      toast.success(t("admin.published"), { description: t("admin.soon") });
      setSame(false);
    } catch (problem) {
      setFailure(sentence(problem));
    }
    ask(false);
  };
  const same = sameTerms || terms.trim() === (of.terms?.text ?? "");
  const told = same ? "correction" : termsNeeded ? "everybody" : "nobody";
  return (
    <section>
      <h2>{t("admin.terms")}</h2>
      {of.terms && (
        <p className="muted">
          {t("terms.version", {
            version: of.terms.version,
            when: dateAndTime(of.terms.at, i18n.language),
          })}
        </p>
      )}
      <form onSubmit={submits(() => ask(true))}>
        <Field label={t("admin.termsText")} hint={t("admin.markdown")}>
          <textarea
            className="input"
            rows={8}
            maxLength={50_000}
            dir="auto"
            value={terms}
            onChange={(event) => setTerms(event.target.value)}
          />
        </Field>
        <Toggle label={t("admin.termsNeeded")} on={termsNeeded} onChange={setNeeded} />
        {of.terms && <Toggle label={t("admin.sameTerms")} on={sameTerms} onChange={setSame} />}
        <Alert text={failure} />
        <button className="button main">{t("admin.publish")}</button>
      </form>
      {asked && (
        <Dialog title={t("admin.publishTitle")} onClose={() => ask(false)}>
          <p>{t(`admin.${told}`)}</p>
          <div className="termsacts">
            <button className="button" onClick={() => ask(false)}>
              {t("admin.cancel")}
            </button>
            <button className="button main" onClick={() => void publish()}>
              {t("admin.send")}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

const submits = (act: (form: FormData) => unknown) => (event: FormEvent<HTMLFormElement>) => (
  event.preventDefault(),
  void act(new FormData(event.currentTarget))
);

function Field({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
      {hint && <small>{hint}</small>}
    </label>
  );
}

function Alert({ text }: { text: string }) {
  return text ? (
    <p className="notice" role="alert">
      {text}
    </p>
  ) : null;
}
