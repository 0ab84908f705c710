import "../../i18n/later";
import "../../i18n/account";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../lib/speech";
import { doorSentence, providers, tellOfSignIn, type Provider } from "./accounts";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { sentence, tell } from "../../lib/failures";
import { Top } from "../../ui/Top";
import { Parent } from "../../ui/Parent";
import { Failed, Loading } from "../../ui/states";
import Unverified from "./Unverified";
import {
  beginSecond,
  changeEmail,
  changePassword,
  confirmSecond,
  endSecond,
  link,
  names,
  unlink,
  ways,
  type Ways,
} from "./security";
import { signOut } from "../../lib/session";
import { toast } from "../../lib/toast";
import { accountKeys } from "./keys";
import { dateAndTime } from "../../lib/dates";

const waysKey = accountKeys.ways;

/** How the reader signs in, and where. */
export default function AccountPage() {
  const { t } = useTranslation("account");
  const read = useQuery({ queryKey: waysKey, queryFn: ways, meta: { keep: false } });
  return (
    <>
      <Top title={t("title")} />
      <div className="settings">
        <Parent />
        {read.isError && <Failed failure={read.error} again={() => void read.refetch()} />}
        {read.isPending && <Loading />}
        {read.data && (
          <>
            <Email is={read.data} />
            <Password is={read.data} />
            <Others is={read.data} />
            {read.data.secondFactor && <Second is={read.data} />}
          </>
        )}
        <Places />
      </div>
    </>
  );
}

const said = (failure: unknown) =>
  failure instanceof Error && "code" in failure && String(failure.code).startsWith("auth/")
    ? doorSentence(failure)
    : sentence(failure);

/** A form that says what failed, and shows its fields empty after it worked. */
function Act({
  label,
  act,
  children,
}: {
  label: string;
  act: (form: FormData) => Promise<void>;
  children?: ReactNode;
}) {
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async (form: HTMLFormElement) => {
    setBusy(true);
    setFailure("");
    try {
      await act(new FormData(form));
      form.reset();
      void queries.invalidateQueries({ queryKey: waysKey });
    } catch (problem) {
      setFailure(said(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => (event.preventDefault(), void send(event.currentTarget))}>
      {children}
      {failure && (
        <p className="notice" role="alert">
          {failure}
        </p>
      )}
      <button className="button main" disabled={busy}>
        {label}
      </button>
    </form>
  );
}

const text = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** The field with which the account's owner is known; none for an account without a password. */
function Yours({ is }: { is: Ways }) {
  const { t } = useTranslation("account");
  if (!is.password) return null;
  return (
    <label className="field">
      <span>{t("yours")}</span>
      <input
        className="input"
        type="password"
        name="yours"
        autoComplete="current-password"
        required
      />
    </label>
  );
}

function Email({ is }: { is: Ways }) {
  const { t } = useTranslation("account");
  const [sent, setSent] = useState("");
  return (
    <section>
      <h2>{t("email.title")}</h2>
      {is.email && <p className="muted">{is.email}</p>}
      <Unverified />
      {sent && <p role="status">{t("email.sent", { email: sent })}</p>}
      <Act
        label={t("email.change")}
        act={async (form) => {
          await changeEmail(text(form, "email"), text(form, "yours"));
          setSent(text(form, "email"));
        }}
      >
        <label className="field">
          <span>{t("email.new")}</span>
          <input
            className="input"
            type="email"
            name="email"
            autoComplete="email"
            maxLength={100}
            required
          />
        </label>
        <Yours is={is} />
      </Act>
    </section>
  );
}

function Password({ is }: { is: Ways }) {
  const { t } = useTranslation(["account", "translation"]);
  if (!is.email) return null;
  return (
    <section>
      <h2>{t("password.title")}</h2>
      <Act
        label={t("password.change")}
        act={async (form) => {
          await changePassword(text(form, "password"), text(form, "yours"));
          void queries.invalidateQueries({ queryKey: placesKey });
          toast.success(t("password.changed"));
        }}
      >
        <label className="field">
          <span>{t("password.new")}</span>
          <input
            className="input"
            type="password"
            name="password"
            autoComplete="new-password"
            minLength={6}
            required
          />
          <small>{t("translation:sign.passwordHint")}</small>
        </label>
        <Yours is={is} />
      </Act>
    </section>
  );
}

function Others({ is }: { is: Ways }) {
  const { t } = useTranslation("account");
  const offered = useQuery({ queryKey: accountKeys.providers, queryFn: providers }).data ?? [];
  const all = (["google", "apple"] as const).filter(
    (name) => offered.includes(name) || is.linked.includes(name),
  );
  if (all.length === 0) return null;
  const last = !is.password && is.linked.length === 1;
  const has = (name: Provider) => is.linked.includes(name);
  return (
    <section>
      <h2>{t("with.title")}</h2>
      {all.map((name) =>
        has(name) && last ? (
          <p key={name} className="muted">
            {names[name]}: {t("with.last")}
          </p>
        ) : (
          <Act
            key={name}
            label={t(has(name) ? "with.remove" : "with.add", { name: names[name] })}
            act={async () => {
              await (has(name) ? unlink(name) : link(name));
              toast.success(t(has(name) ? "with.removed" : "with.added", { name: names[name] }));
            }}
          />
        ),
      )}
    </section>
  );
}

function Second({ is }: { is: Ways }) {
  const { t } = useTranslation("account");
  const [begun, setBegun] = useState<Awaited<ReturnType<typeof beginSecond>>>();
  if (is.totp) {
    return (
      <section>
        <h2>{t("second.title")}</h2>
        <p role="status">{t("second.on")}</p>
        <Act
          label={t("second.off")}
          act={async (form) => {
            await endSecond(is.totp!, text(form, "yours"));
            toast.success(t("second.done"));
          }}
        >
          <Yours is={is} />
        </Act>
      </section>
    );
  }
  return (
    <section>
      <h2>{t("second.title")}</h2>
      <p className="muted">{t("second.hint")}</p>
      {begun ? (
        <Act
          label={t("second.confirm")}
          act={async (form) => {
            await confirmSecond(begun.secret, text(form, "code"));
            setBegun(undefined);
          }}
        >
          <p>{t("second.key")}</p>
          <p>
            <code style={{ overflowWrap: "anywhere" }}>{begun.key}</code>
          </p>
          <a className="button" href={begun.url}>
            {t("second.open")}
          </a>
          <label className="field">
            <span>{t("second.code")}</span>
            <input
              className="input"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="[0-9 ]{6,8}"
              required
            />
          </label>
        </Act>
      ) : (
        <Act
          label={t("second.begin")}
          act={async (form) => setBegun(await beginSecond(text(form, "yours")))}
        >
          <Yours is={is} />
        </Act>
      )}
    </section>
  );
}

const placesKey = accountKeys.places;

function Places() {
  const { t } = useTranslation("account");
  const read = useQuery({
    queryKey: placesKey,
    meta: { keep: false },
    queryFn: async () => {
      await tellOfSignIn(); // of a session from before the list
      return body(hibana.GET("/v1/users/me/sign-ins", {}));
    },
  });
  const out = async () => {
    try {
      await hibana.DELETE("/v1/users/me/sign-ins", {});
      toast(t("places.done"));
      await signOut();
    } catch (failure) {
      tell(failure);
    }
  };
  return (
    <section>
      <h2>{t("places.title")}</h2>
      {read.data?.items.length === 0 && <p className="muted">{t("places.none")}</p>}
      <ul className="says">
        {read.data?.items.map((one) => (
          <Place key={one.at} one={one} />
        ))}
      </ul>
      <p className="muted">{t("places.allHint")}</p>
      <button className="button danger" onClick={() => void out()}>
        {t("places.all")}
      </button>
    </section>
  );
}

function Place({ one }: { one: Schemas["SignIn"] }) {
  const { t, i18n } = useTranslation("account");
  const { system, program } = one;
  const provider = one.provider === "password" ? t("places.password") : one.provider;
  return (
    <li>
      <strong>
        {system && program
          ? t("places.row", { system, program })
          : system || program || t("places.unknown")}
      </strong>
      <br />
      <span className="muted">
        {t("places.when", { when: dateAndTime(one.at, i18n.language), provider })}
        {one.current && ` · ${t("places.here")}`}
        {one.ended && ` · ${t("places.ended")}`}
      </span>
    </li>
  );
}
