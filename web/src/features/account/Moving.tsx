import "../../i18n/moving";
import "../../styles/instance.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { body, hibana, HibanaError, queries } from "../../lib/api";
import { sentence, tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { meKey, useMe } from "../../lib/session";
import { useTranslation } from "../../lib/speech";
import { toast } from "../../lib/toast";
import { Parent } from "../../ui/Parent";
import { Top } from "../../ui/Top";
import { Wrong } from "../../ui/Wrong";
import { Failed, Loading } from "../../ui/states";
import { useInstance } from "../instance/instance";
import Moved from "../people/Moved";
import { peopleKeys } from "../people/keys";
import { accountKeys } from "./keys";

const most = 10;

/** The reader's accounts on other servers, which may move here, and the move away to one. */
export default function Moving() {
  const { t } = useTranslation("moving");
  const instance = useInstance();
  return (
    <>
      <Top title={t("title")} />
      <div className="settings">
        <Parent />
        {instance.isPending && <Loading />}
        {instance.isError && (
          <Failed failure={instance.error} again={() => void instance.refetch()} />
        )}
        {instance.data && !instance.data.federation && (
          <section>
            <p>{t("off")}</p>
          </section>
        )}
        {instance.data?.federation && (
          <>
            <Others />
            <Away />
          </>
        )}
      </div>
    </>
  );
}

/** What went wrong, and what the reader does now. */
function useAdvice() {
  const { t } = useTranslation("moving");
  const advice: Partial<Record<string, string>> = {
    not_an_alias: t("notAlias"),
    no_remote_actor: t("nobody"),
    limit_reached: t("often"),
  };
  return (problem: unknown) =>
    (problem instanceof HibanaError && advice[problem.code]) || sentence(problem);
}

const put = async (accounts: string[]) =>
  queries.setQueryData(
    accountKeys.aliases,
    await body(hibana.PUT("/v1/aliases", { body: { accounts } })),
  );

function Others() {
  const { t } = useTranslation("moving");
  const advice = useAdvice();
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const read = useQuery({
    queryKey: accountKeys.aliases,
    meta: { keep: false },
    queryFn: () => body(hibana.GET("/v1/aliases", {})),
  });
  const all = read.data?.accounts ?? [];
  const add = async (form: HTMLFormElement) => {
    setBusy(true);
    setFailure("");
    try {
      await put([...all, typed(new FormData(form), "account")]);
      form.reset();
      toast.success(t("added"));
    } catch (problem) {
      setFailure(advice(problem));
    }
    setBusy(false);
  };
  const remove = async (one: string) => {
    setBusy(true);
    try {
      await put(all.filter((other) => other !== one));
      toast.success(t("removed"));
    } catch (problem) {
      tell(problem);
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby="others">
      <h2 id="others">{t("others")}</h2>
      <p className="muted">{t("othersHint")}</p>
      {read.isPending && <Loading rows={1} />}
      {read.isError && <Failed failure={read.error} again={() => void read.refetch()} />}
      {read.data && all.length === 0 && <p className="muted">{t("none")}</p>}
      {all.map((one) => (
        <div className="instancerow" key={one}>
          <a className="address" dir="ltr" href={one} target="_blank" rel="noopener noreferrer">
            {one.replace(/^https:\/\//, "")}
          </a>
          <button
            className="button small"
            aria-label={t("removeOf", { of: one })}
            disabled={busy}
            onClick={() => void remove(one)}
          >
            {t("remove")}
          </button>
        </div>
      ))}
      {all.length >= most && <p className="muted">{t("full")}</p>}
      {read.data && all.length < most && (
        <form onSubmit={(event) => (event.preventDefault(), void add(event.currentTarget))}>
          <Account label={t("account")} />
          <Wrong text={failure} />
          <button className="button main" disabled={busy}>
            {t("add")}
          </button>
        </form>
      )}
    </section>
  );
}

const Account = ({ label }: { label: string }) => (
  <label className="field">
    <span>{label}</span>
    <input
      className="input"
      name="account"
      dir="ltr"
      required
      minLength={3}
      maxLength={500}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="@ann@example.org"
    />
  </label>
);

function Away() {
  const { t } = useTranslation("moving");
  const me = useMe();
  const advice = useAdvice();
  const [name, setName] = useState("");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  if (!me) return null;
  const move = async (form: HTMLFormElement) => {
    setBusy(true);
    setFailure("");
    try {
      const account = typed(new FormData(form), "account");
      await hibana.POST("/v1/move", { body: { account } });
      form.reset();
      setName("");
      toast.success(t("done"));
      void queries.invalidateQueries({ queryKey: meKey });
      void queries.invalidateQueries({ queryKey: peopleKeys.users });
    } catch (problem) {
      setFailure(advice(problem));
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby="away">
      <h2 id="away">{t("away")}</h2>
      <Moved user={me} />
      <ul className="says">
        {(["first", "followers", "stays", "says", "final"] as const).map((one) => (
          <li key={one}>{t(one)}</li>
        ))}
      </ul>
      <form onSubmit={(event) => (event.preventDefault(), void move(event.currentTarget))}>
        <Account label={t("to")} />
        <label className="field">
          <span>{t("confirm")}</span>
          <input
            className="input"
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <Wrong text={failure} />
        <button className="button danger" disabled={busy || name !== me.username}>
          {t("now")}
        </button>
      </form>
    </section>
  );
}
