import "../../i18n/find";
import "../../styles/instance.css";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, type Schemas, type UserSummary } from "../../lib/api";
import { sentence } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { Users } from "./AdminUsers";
import { PeopleList } from "../people/PeopleList";
import { Failed, Loading } from "../../ui/states";
import { adminKeys } from "./keys";
import { dateAndTime } from "../../lib/dates";

const isEmail = (text: string) => /^[^@\s]+@[^@\s]+$/.test(text);

/** The accounts: one is found by its address or name, and has a page of its own. */
export default function AdminAccounts({ uid }: { uid?: string }) {
  return uid ? <OneAccount uid={uid} /> : <All />;
}

function All() {
  const { t } = useTranslation("instance");
  const [found, setFound] = useState<Schemas["Account"]>();
  const [name, setName] = useState("");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const [byEmail, setByEmail] = useState(false);
  const find = async (form: FormData) => {
    const text = typed(form, "what");
    const address = isEmail(text);
    setFailure("");
    setFound(undefined);
    setName(address ? "" : text);
    if (!address) return;
    setBusy(true);
    try {
      setFound(
        await body(
          hibana.POST("/v1/admin/users:byEmail", {
            body: { email: text, reason: typed(form, "reason") },
          }),
        ),
      );
    } catch (problem) {
      setFailure(sentence(problem));
    }
    setBusy(false);
  };
  return (
    <>
      <div className="settings">
        <section>
          <h2>{t("accounts.find")}</h2>
          <form
            role="search"
            aria-label={t("accounts.find")}
            onSubmit={(event) => (
              event.preventDefault(),
              void find(new FormData(event.currentTarget))
            )}
          >
            <label className="field">
              <span>{t("accounts.what")}</span>
              <input
                className="input"
                name="what"
                maxLength={320}
                dir="auto"
                autoComplete="off"
                onChange={(event) => setByEmail(isEmail(event.target.value.trim()))}
              />
              <small>{t("accounts.whatHint")}</small>
            </label>
            {byEmail && (
              <label className="field">
                <span>{t("accounts.why")}</span>
                <input className="input" name="reason" maxLength={1000} dir="auto" required />
                <small>{t("accounts.whyHint")}</small>
              </label>
            )}
            {failure && (
              <p className="notice" role="alert">
                {failure}
              </p>
            )}
            <button className="button main" disabled={busy}>
              {t("accounts.search")}
            </button>
          </form>
        </section>
        {found && (
          <section aria-label={found.email}>
            <Account of={found} />
          </section>
        )}
      </div>
      {name && (
        <PeopleList
          name={adminKeys.accounts(name)}
          empty={t("accounts.nobody")}
          page={async (pageToken) =>
            body(
              hibana.GET("/v1/search/users", {
                params: { query: { q: name, format: "html", ...(pageToken ? { pageToken } : {}) } },
              }),
            )
          }
          button={(user) => <Details of={user} />}
        />
      )}
      {!name && !found && <Users button={(user) => <Details of={user} />} />}
    </>
  );
}

function Details({ of }: { of: UserSummary }) {
  const { t } = useTranslation("instance");
  return (
    <Link
      className="button small"
      href={`/admin/users/${encodeURIComponent(of.id)}`}
      aria-label={t("accounts.openOf", { name: of.nickname })}
    >
      {t("accounts.open")}
    </Link>
  );
}

/** What Firebase Auth says of an account. */
function Account({ of }: { of: Schemas["Account"] }) {
  const { t, i18n } = useTranslation("instance");
  const when = (at: string) => dateAndTime(at, i18n.language);
  const role = of.administrator ? "administrator" : of.moderator ? "moderator" : "user";
  return (
    <>
      <h2 className="instancepart" dir="auto">
        {of.user?.nickname ?? of.email}
      </h2>
      <dl className="instancefacts">
        <Fact name={t("accounts.email")}>
          <bdi dir="ltr">{of.email}</bdi> (
          {t(of.emailVerified ? "accounts.confirmed" : "accounts.unconfirmed")})
        </Fact>
        <Fact name={t("accounts.roles")}>{t(`accounts.${role}`)}</Fact>
        <Fact name={t("accounts.standing")}>
          {t(`accounts.states.${of.suspended ? "suspended" : of.frozen ? "frozen" : "free"}`)}
        </Fact>
        <Fact name={t("accounts.joined")}>{when(of.createdAt)}</Fact>
        <Fact name={t("accounts.seen")}>{when(of.seenAt)}</Fact>
      </dl>
      {of.user ? (
        <div className="instancerow">
          <Details of={of.user} />
          <Profile uid={of.uid} />
        </div>
      ) : (
        <p className="muted">{t("accounts.noProfile")}</p>
      )}
    </>
  );
}

function Profile({ uid }: { uid: string }) {
  const { t } = useTranslation("instance");
  return (
    <Link className="button small" href={`/users/${encodeURIComponent(uid)}`}>
      {t("accounts.profile")}
    </Link>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function OneAccount({ uid }: { uid: string }) {
  const { t, i18n } = useTranslation("instance");
  const path = { uid };
  const one = useQuery({
    queryKey: adminKeys.account(uid),
    meta: { keep: false },
    queryFn: async () => {
      const [user, standing] = await Promise.all([
        body(hibana.GET("/v1/users/{uid}", { params: { path } })),
        body(hibana.GET("/v1/admin/users/{uid}/standing", { params: { path } })),
      ]);
      return { user, standing };
    },
  });
  const { user, standing } = one.data ?? {};
  const counts = user && [user.tweetCount, user.followerCount, user.followedCount];
  return (
    <>
      <div className="settings">
        <Link href="/admin/users" className="button small parent">
          <ArrowLeft className="backwards" size={16} aria-hidden="true" />
          {t("accounts.back")}
        </Link>
        {user && standing && counts ? (
          <section>
            <h2 className="instancepart" dir="auto">
              {user.nickname} <bdi className="muted">@{user.username}</bdi>
            </h2>
            <dl className="instancefacts">
              <Fact name={t("accounts.standing")}>{t(`accounts.states.${standing.state}`)}</Fact>
              {standing.reason && <Fact name={t("accounts.reason")}>{standing.reason}</Fact>}
              <Fact name={t("accounts.joined")}>{dateAndTime(user.createdAt, i18n.language)}</Fact>
              <Fact name={t("accounts.counts")}>
                {counts.map((count) => count.toLocaleString(i18n.language)).join(" · ")}
              </Fact>
            </dl>
            <div className="instancerow">
              <Profile uid={uid} />
            </div>
          </section>
        ) : one.isError ? (
          <Failed failure={one.error} again={() => void one.refetch()} />
        ) : (
          <Loading rows={2} />
        )}
        <section>
          <h2>{t("accounts.blockers")}</h2>
        </section>
      </div>
      <PeopleList
        name={adminKeys.blockers(uid)}
        empty={t("accounts.noBlockers")}
        page={async (pageToken) => {
          const query = pageToken ? { pageToken } : {};
          const { items, nextPageToken } = await body(
            hibana.GET("/v1/admin/users/{uid}/blockers", { params: { path, query } }),
          );
          return {
            items: items.map(({ user, createdAt }) => ({ ...user, at: createdAt })),
            nextPageToken,
          };
        }}
        note={({ at }) => dateAndTime(at, i18n.language)}
        button={(user) => <Details of={user} />}
      />
    </>
  );
}
