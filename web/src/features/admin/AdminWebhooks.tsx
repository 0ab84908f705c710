import "../../i18n/webhooks";
import "../../styles/instance.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { sentence, tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { toast } from "../../lib/toast";
import { Empty, Failed, Loading } from "../../ui/states";
import { adminKeys } from "./keys";
import { dateAndTime } from "../../lib/dates";

type Webhook = Schemas["Webhook"];

const key = adminKeys.webhooks;
const again = () => queries.invalidateQueries({ queryKey: key });

/** The events, and the keys of their sentences. */
const events = {
  "user.created": "event.userCreated",
  "sign_up.waiting": "event.signUpWaiting",
  "report.created": "event.reportCreated",
  "appeal.created": "event.appealCreated",
  "account.changed": "event.accountChanged",
} as const;
type Event = keyof typeof events;
const kinds = Object.keys(events) as Event[];

/** For how long the page looks whether a ping arrived, and how often, in milliseconds. */
const patience = 90_000;
const often = 3_000;

/** The webhooks of this server with what became of their last request, and a form for a new one. */
export default function AdminWebhooks() {
  const { t } = useTranslation("webhooks");
  const [made, setMade] = useState<Webhook>(); // with its secret
  const [pinged, setPinged] = useState(0);
  const all = useQuery({
    queryKey: key,
    meta: { keep: false },
    queryFn: () => body(hibana.GET("/v1/admin/webhooks")),
    refetchInterval: () => (Date.now() - pinged < patience ? often : false),
  });
  return (
    <div className="settings">
      <Form made={setMade} />
      {made?.secret && (
        <Secret key={made.secret} secret={made.secret} done={() => setMade(undefined)} />
      )}
      {all.isPending && <Loading rows={2} />}
      {all.isError && !all.data && <Failed failure={all.error} again={() => void all.refetch()} />}
      {all.data?.items.length === 0 && <Empty title={t("none")} />}
      {all.data?.items.map((one) => (
        <One key={one.id} of={one} made={setMade} pinged={() => setPinged(Date.now())} />
      ))}
    </div>
  );
}

/** A secret, which nobody sees again. */
function Secret({ secret, done }: { secret: string; done: () => void }) {
  const { t } = useTranslation("webhooks");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast.success(t("copied"));
    } catch {
      toast.error(t("noCopy"));
    }
  };
  return (
    <section aria-label={t("secret")}>
      <h2>{t("secret")}</h2>
      <p className="notice" role="status">
        {t("secretHint")}
      </p>
      <div className="instancerow">
        <input
          className="input"
          aria-label={t("secret")}
          readOnly
          dir="ltr"
          value={secret}
          onFocus={(event) => event.target.select()}
        />
        <button className="button small" onClick={() => void copy()}>
          {t("copy")}
        </button>
        <button className="button small" onClick={done}>
          {t("done")}
        </button>
      </div>
    </section>
  );
}

function One({
  of,
  made,
  pinged,
}: {
  of: Webhook;
  made: (is: Webhook) => void;
  pinged: () => void;
}) {
  const { t } = useTranslation("webhooks");
  const [busy, setBusy] = useState(false);
  const name = of.description || of.url;
  const path = { params: { path: { id: of.id } } };
  const act = async (what: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await what();
    } catch (failure) {
      tell(failure);
    }
    setBusy(false);
    void again();
  };
  const ping = () =>
    act(async () => {
      await hibana.POST("/v1/admin/webhooks/{id}/ping", path);
      toast.success(t("pinged"));
      pinged();
    });
  const renew = () =>
    act(async () => {
      made(await body(hibana.POST("/v1/admin/webhooks/{id}/secret", path)));
      toast.success(t("renewed"));
    });
  const turn = () =>
    act(() => hibana.PATCH("/v1/admin/webhooks/{id}", { ...path, body: { enabled: !of.enabled } }));
  const remove = () =>
    act(async () => {
      await hibana.DELETE("/v1/admin/webhooks/{id}", path);
      toast.success(t("removed"));
    });
  return (
    <section aria-label={name}>
      <h2 className="instancepart" dir="auto">
        {name}
      </h2>
      {of.description && (
        <p className="instancepart" dir="ltr">
          {of.url}
        </p>
      )}
      <p className="muted">{of.events.map((one) => t(events[one])).join(" · ")}</p>
      <Result of={of} />
      <div className="instancerow">
        {of.enabled && (
          <button
            className="button small"
            disabled={busy}
            aria-label={t("pingOf", { of: name })}
            onClick={() => void ping()}
          >
            {t("ping")}
          </button>
        )}
        <button
          className="button small"
          disabled={busy}
          aria-label={t(of.enabled ? "switchOffOf" : "switchOnOf", { of: name })}
          onClick={() => void turn()}
        >
          {t(of.enabled ? "switchOff" : "switchOn")}
        </button>
        <button
          className="button small"
          disabled={busy}
          aria-label={t("renewOf", { of: name })}
          onClick={() => void renew()}
        >
          {t("renew")}
        </button>
        <button
          className="button small danger"
          disabled={busy}
          aria-label={t("removeOf", { of: name })}
          onClick={() => void remove()}
        >
          {t("remove")}
        </button>
      </div>
    </section>
  );
}

/** What became of the last request of a webhook. */
function Result({ of }: { of: Webhook }) {
  const { t, i18n } = useTranslation("webhooks");
  const at = (time: string) => dateAndTime(time, i18n.language);
  return (
    <>
      <p>
        {t(of.enabled ? "on" : "off")}
        {" · "}
        {!of.triedAt
          ? t("never")
          : of.failure
            ? t("failed", { when: at(of.triedAt), why: of.failure })
            : t("arrived", { when: at(of.triedAt), status: of.status })}
      </p>
      {of.gaveUpAt ? (
        <p className="notice">{t("gaveUp")}</p>
      ) : (
        of.failingSince && <p className="notice">{t("failing", { when: at(of.failingSince) })}</p>
      )}
    </>
  );
}

function Form({ made }: { made: (is: Webhook) => void }) {
  const { t } = useTranslation("webhooks");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const add = async (form: HTMLFormElement) => {
    setBusy(true);
    setFailure("");
    const data = new FormData(form);
    const [url, description] = [typed(data, "url"), typed(data, "description")];
    try {
      made(
        await body(
          hibana.POST("/v1/admin/webhooks", {
            body: {
              url,
              ...(description ? { description } : {}),
              events: kinds.filter((one) => data.getAll("events").includes(one)),
            },
          }),
        ),
      );
      form.reset();
      void again();
    } catch (problem) {
      setFailure(sentence(problem));
    }
    setBusy(false);
  };
  return (
    <section>
      <h2>{t("new")}</h2>
      <p className="muted">{t("hint")}</p>
      <form onSubmit={(event) => (event.preventDefault(), void add(event.currentTarget))}>
        <label className="field">
          <span>{t("url")}</span>
          <input
            className="input"
            name="url"
            type="url"
            required
            maxLength={500}
            dir="ltr"
            autoComplete="off"
            placeholder="https://example.com/hooks"
          />
        </label>
        <label className="field">
          <span>{t("description")}</span>
          <input className="input" name="description" maxLength={100} dir="auto" />
        </label>
        <fieldset className="ruleslist">
          <legend>{t("events")}</legend>
          {kinds.map((one) => (
            <label key={one} className="termscheck">
              <input type="checkbox" name="events" value={one} defaultChecked />
              <span>{t(events[one])}</span>
            </label>
          ))}
        </fieldset>
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <button className="button main" disabled={busy}>
          {t("add")}
        </button>
      </form>
    </section>
  );
}
