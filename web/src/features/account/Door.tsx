import "../../i18n/later";
import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { toast } from "../../lib/toast";
import { Link, useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import {
  doorSentence,
  forgot,
  lookAround,
  providers,
  returned,
  signIn,
  signInWith,
  signUp,
  type Provider,
} from "./accounts";
import { calledOf } from "./switching";
import { invited } from "../instance/instance";
import { Fireworks } from "../../ui/Spark";
import { appHere, useAccounts } from "../../lib/accounts";
import { sessionEnded, takeReturn } from "../../lib/returning";
import { useSession } from "../../lib/session";
import { useTitle } from "../../lib/title";

const OtherAccounts = lazy(() => import("./OtherAccounts"));

/** Where people come in: sign in, sign up, or look around. */
export default function Door({ up }: { up: boolean }) {
  const { t } = useTranslation(["translation", "account"]);
  useTitle(t(up ? "sign.upTitle" : "sign.inTitle"));
  const { guest, state, uid } = useSession();
  const [path, go] = useLocation();
  const search = useSearch();
  const to = new URLSearchParams(search).get("to") === "cart" ? "/cart" : "/";
  // The next page needs the code of the invitation.
  useEffect(() => void invited(search), [search]);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const all = useAccounts();
  const others = all.filter(({ app }) => app !== appHere());
  const mine = all.find(({ app }) => app === appHere());
  const [ended] = useState(sessionEnded);
  const adds = !mine && !ended && others.length > 0;
  const enter = useEffectEvent(() => {
    const back = takeReturn(uid);
    go(to === "/" ? (back ?? to) : to, { replace: true });
  });
  useEffect(() => {
    if (!guest) enter();
  }, [guest]);
  const [offered, setOffered] = useState<Provider[]>([]);
  const back = useEffectEvent(() => void attempt(returned));
  useEffect(() => {
    providers().then(setOffered, () => undefined);
    back();
  }, []);
  const attempt = async (act: () => Promise<void>, then?: string) => {
    setBusy(true);
    setFailure("");
    try {
      await act();
      if (then) go(then);
    } catch (problem) {
      setFailure(doorSentence(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="welcome" id="content">
      <div className="sky">
        <Fireworks seed="hibana" count={3} tall />
        <div>
          <h1>
            Hibana <span lang="ja">火花</span>
          </h1>
          <p>{t("tagline")}</p>
          <p style={{ fontSize: "var(--size-1)" }}>{t("pitch")}</p>
        </div>
      </div>
      <div className="door">
        <form
          onSubmit={(event) => (
            event.preventDefault(),
            void attempt(() => (up ? signUp(email, password) : signIn(email, password)))
          )}
        >
          <h2>{t(adds ? "account:accounts.add" : up ? "sign.upTitle" : "sign.inTitle")}</h2>
          {adds && <p className="muted">{t("account:accounts.addHint")}</p>}
          {!up && (ended || mine?.ended) && (
            <p className="notice" role="status">
              {ended || !mine ? t("account:ended") : t("account:endedOf", { name: calledOf(mine) })}
            </p>
          )}
          {offered.map((name) => (
            <button
              key={name}
              type="button"
              className="button wide"
              disabled={busy}
              onClick={() => void attempt(() => signInWith(name))}
            >
              {t(`account:with.${name}`)}
            </button>
          ))}
          {offered.length > 0 && <p className="or">{t("account:with.or")}</p>}
          <label className="field">
            <span>{t("sign.email")}</span>
            <input
              className="input"
              type="email"
              name="email"
              autoComplete="email"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          </label>
          <label className="field">
            <span>{t("sign.password")}</span>
            <input
              className="input"
              type="password"
              name="password"
              autoComplete={up ? "new-password" : "current-password"}
              minLength={up ? 6 : undefined}
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
            {up && <small>{t("sign.passwordHint")}</small>}
          </label>
          <div className="field">{failure && <span role="alert">{failure}</span>}</div>
          <button className="button main wide" disabled={busy}>
            {busy ? t("sign.wait") : t(up ? "sign.up" : "sign.in")}
          </button>
          {!up && (
            <button
              type="button"
              className="linklike"
              onClick={() =>
                void attempt(async () => (await forgot(email), void toast(t("sign.resetSent"))))
              }
            >
              {t("sign.reset")}
            </button>
          )}
          <p className="or">
            {t(up ? "sign.haveOne" : "sign.haveNone")}{" "}
            <Link
              className="linklike"
              href={(up ? "/sign-in" : "/sign-up") + (to === "/" ? "" : "?to=cart")}
            >
              {t(up ? "sign.in" : "sign.up")}
            </Link>
          </p>
          <p className="or">
            <Link className="linklike" href="/about">
              {t("nav.about")}
            </Link>
          </p>
          {others.length > 0 && (
            <>
              <p className="or">{t("account:accounts.go")}</p>
              <Suspense>
                <OtherAccounts of={others} />
              </Suspense>
            </>
          )}
          {(state === "out" || path === "/") && others.length === 0 && (
            <button
              type="button"
              className="button wide"
              disabled={busy}
              onClick={() => void attempt(lookAround, "/explore")}
            >
              {t("sign.guest")}
            </button>
          )}
          {state === "in" && guest && (
            <Link className="button wide" href="/explore">
              {t("state.back")}
            </Link>
          )}
        </form>
      </div>
    </main>
  );
}
