import "../../i18n/account";
import "../../i18n/apps";
import "../../styles/accounts.css";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { useSearch } from "wouter/use-browser-location";
import { chosenLanguage, speak } from "../../i18n";
import { appHere, to, useAccounts } from "../../lib/accounts";
import { body, hibana, named, type Schemas } from "../../lib/api";
import { copied } from "../../lib/clipboard";
import { sentence } from "../../lib/failures";
import { useMe } from "../../lib/session";
import { useTranslation } from "../../lib/speech";
import { toast } from "../../lib/toast";
import { Avatar } from "../../ui/Avatar";
import { Top } from "../../ui/Top";
import { Loading } from "../../ui/states";
import { AccountNames } from "../account/AccountNames";
import { appKeys } from "./keys";
import { destination, goTo, requested } from "./request";
import { Allowed } from "./Allowed";
import { ofStaff } from "./scopes";

/** Asks the reader whether an app may come in, and sends the answer to the app. */
export default function Authorize() {
  const { t } = useTranslation("apps");
  // As the address has it: the useSearch of "wouter" itself unescapes, and what an app escaped would be another.
  const { request, lang, choose } = requested(useSearch());
  const asked = useQuery({
    queryKey: appKeys.asked(request),
    meta: { keep: false },
    retry: false,
    staleTime: Infinity,
    queryFn: () => body(hibana.POST("/v1/authorizations:check", { body: request })),
  });
  const [answer, setAnswer] = useState<Schemas["Authorization"] | "no">();
  useEffect(() => {
    if (lang && !localStorage.getItem("hibana.language"))
      void speak(lang.startsWith("ja") ? "ja" : "en").catch(() => undefined);
    return () => void speak(chosenLanguage()).catch(() => undefined);
  }, [lang]);
  const go = (next: Schemas["Authorization"] | "no", address?: string) => {
    setAnswer(next);
    if (address) goTo(address);
  };
  let page: ReactNode = <Loading rows={2} />;
  if (asked.isError)
    page = (
      <section>
        <h2>{t("wrong")}</h2>
        <p role="alert">{sentence(asked.error)}</p>
        <p className="muted">{t("wrongHint")}</p>
      </section>
    );
  else if (answer === "no")
    page = (
      <section>
        <p role="status">{t("cancelled")}</p>
        {asked.data?.cancel && <Back to={asked.data.cancel} />}
      </section>
    );
  else if (answer) page = <Answered by={answer} />;
  else if (asked.data)
    page = (
      <Question
        of={asked.data}
        choose={choose}
        cancel={() => go("no", asked.data.cancel)}
        allow={async () => {
          const next = await body(hibana.POST("/v1/authorizations", { body: request }));
          go(next, next.redirect);
        }}
      />
    );
  return (
    <>
      <Top title={t("asks")} />
      <div className="settings">{page}</div>
    </>
  );
}

function Back({ to }: { to: string }) {
  const { t } = useTranslation("apps");
  return (
    <button className="button" onClick={() => goTo(to)}>
      {t("open")}
    </button>
  );
}

function Answered({ by }: { by: Schemas["Authorization"] }) {
  const { t } = useTranslation("apps");
  if (by.redirect)
    return (
      <section>
        <p role="status">{t("going")}</p>
        <Back to={by.redirect} />
      </section>
    );
  const copy = async () => {
    if (await copied(by.code!)) toast.success(t("copied"));
  };
  return (
    <section>
      <p role="status">{t("code")}</p>
      <p>
        <code style={{ overflowWrap: "anywhere" }}>{by.code}</code>
      </p>
      <button className="button main" onClick={() => void copy()}>
        {t("copyCode")}
      </button>
    </section>
  );
}

function Question({
  of,
  choose,
  cancel,
  allow,
}: {
  of: Schemas["RequestedAuthorization"];
  choose: boolean;
  cancel: () => void;
  allow: () => Promise<void>;
}) {
  const { t } = useTranslation("apps");
  const me = useMe();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const send = async () => {
    setBusy(true);
    setFailure("");
    try {
      await allow();
    } catch (problem) {
      setFailure(sentence(problem));
      setBusy(false);
    }
  };
  const goes = destination(of.redirectUri);
  return (
    <>
      <section>
        <h2>{t("question")}</h2>
        <p>
          <strong dir="auto" style={{ fontSize: "var(--size-2)", overflowWrap: "anywhere" }}>
            {of.name}
          </strong>
        </p>
        <p style={{ overflowWrap: "anywhere" }}>
          {t("to")}:{" "}
          <strong>
            {goes === undefined
              ? t("copy")
              : "host" in goes
                ? goes.host
                : t("device", { scheme: goes.scheme })}
          </strong>
        </p>
        {of.website && (
          <p className="muted" style={{ overflowWrap: "anywhere" }}>
            {t("website")}: {of.website}
          </p>
        )}
        {of.allowed && <p className="muted">{t("before")}</p>}
        <p className="notice">{t("claim")}</p>
      </section>
      {me && (
        <section>
          <h2>{t("as")}</h2>
          {choose && <p>{t("choose")}</p>}
          <p style={{ display: "flex", gap: "var(--space-3)", alignItems: "center" }}>
            <Avatar of={me} size="small" />
            <strong dir="auto">{named(me)}</strong>
          </p>
          <Others />
        </section>
      )}
      <section>
        <h2>{t("wants")}</h2>
        <Allowed scopes={of.scopes} />
        {ofStaff(of.scopes) && <p className="notice">{t("staff")}</p>}
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <div style={{ display: "flex", flexWrap: "wrap", gap: "var(--space-3)" }}>
          <button className="button main" disabled={busy} onClick={() => void send()}>
            {t("allow")}
          </button>
          <button className="button" disabled={busy} onClick={cancel}>
            {t("cancel")}
          </button>
        </div>
      </section>
    </>
  );
}

/** The other accounts of this browser. A click opens this page as one of them. */
function Others() {
  const { t } = useTranslation("apps");
  const others = useAccounts().filter(({ app, ended }) => app !== appHere() && !ended);
  if (others.length === 0) return null;
  return (
    <>
      <h3>{t("other")}</h3>
      <ul className="accountlist">
        {others.map((one) => (
          <li key={one.app}>
            <button type="button" onClick={() => to(one.app, location.pathname + location.search)}>
              <AccountNames of={one} here={false} />
              <ChevronRight className="onwards" size={20} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
