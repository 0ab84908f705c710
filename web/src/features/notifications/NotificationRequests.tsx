import "../../i18n/policy";
import "../../styles/quiet.css";
import "../../styles/policy.css";
import { ArrowLeft } from "lucide-react";
import { lazy, Suspense, useId, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { cut } from "../../lib/api";
import { Avatar } from "../../ui/Avatar";
import { Top } from "../../ui/Top";
import { Empty, Failed, Loading } from "../../ui/states";
import { accept, dismiss, usePolicy, useRequests, type Request } from "./policy";
import { When } from "../../lib/time";
import { More } from "../../ui/More";
import { noticeKeys } from "./keys";

const AcceptedPeople = lazy(() => import("./Accepted"));

const most = 20; // notifications of a request, see the API

/** What the reader's settings filtered, by sender, and who is let through. */
export default function NotificationRequests() {
  const { t } = useTranslation("policy");
  return (
    <>
      <Top title={t("requests.title")} />
      <div className="settings quiet">
        <Link href="/notifications" className="button small parent">
          <ArrowLeft className="backwards" size={16} aria-hidden="true" />
          {t("requests.back")}
        </Link>
        <Requests />
        <Accepted />
      </div>
    </>
  );
}

function Requests() {
  const { t } = useTranslation(["policy", "translation"]);
  useState(() => cut(noticeKeys.requests));
  const query = useRequests(true);
  const all = query.data?.pages.flatMap((page) => page.items) ?? [];
  const none = query.data && all.length === 0 && !query.hasNextPage;
  return (
    <section aria-label={t("requests.list")}>
      {query.isPending && <Loading as="people" rows={3} />}
      {none && (
        <Empty title={t("requests.none")} hint={t("requests.noneHint")}>
          <Link className="button" href="/settings">
            {t("requests.settings")}
          </Link>
        </Empty>
      )}
      {all.length > 0 && <p className="muted">{t("requests.hint")}</p>}
      <ul>
        {all.map((one) => (
          <li key={one.user.id}>
            <One one={one} />
          </li>
        ))}
      </ul>
      <More of={query} label={t("translation:state.more")} />
      {query.isError && !query.data && (
        <Failed failure={query.error} again={() => void query.refetch()} />
      )}
    </section>
  );
}

function One({ one: { user, events, lastAt } }: { one: Request }) {
  const { t } = useTranslation(["policy", "translation"]);
  const list = useId();
  const [open, setOpen] = useState(false);
  const [sending, setSending] = useState(false);
  const act = async (how: typeof accept) => {
    setSending(true);
    await how(user);
    setSending(false);
    // The button that had the focus is gone, or was disabled.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        document.getElementById("content")?.focus({ preventScroll: true });
    });
  };
  const by = (act: string) => t("requests.by", { act, name: user.nickname });
  const show = t(open ? "requests.hide" : "requests.show");
  const who = t("translation:notifications.single", { name: user.nickname });
  return (
    <article className="request" data-request={user.id}>
      <Link href={`/users/${user.id}`} aria-hidden="true" tabIndex={-1}>
        <Avatar of={user} />
      </Link>
      <div>
        <p>
          <Link href={`/users/${user.id}`}>
            <strong dir="auto">{user.nickname}</strong>
          </Link>{" "}
          <bdi className="muted">@{user.username}</bdi>
        </p>
        <p className="muted">
          {t(events.length < most ? "requests.count" : "requests.most", { count: events.length })} ·{" "}
          <When at={lastAt} />
        </p>
        {open && (
          <ul id={list}>
            {events.map((event, n) => (
              <li key={n}>
                <Link href={event.tweetId ? `/tweets/${event.tweetId}` : `/users/${user.id}`}>
                  {t(`translation:notifications.${event.type}`, { who })}
                </Link>{" "}
                <span className="muted">
                  <When at={event.at} />
                </span>
              </li>
            ))}
          </ul>
        )}
        <p className="decide">
          <button
            className="button small main"
            aria-label={by(t("requests.accept"))}
            disabled={sending}
            onClick={() => void act(accept)}
          >
            {t("requests.accept")}
          </button>
          <button
            className="button small"
            aria-label={by(t("requests.dismiss"))}
            disabled={sending}
            onClick={() => void act(dismiss)}
          >
            {t("requests.dismiss")}
          </button>
          <button
            className="button small"
            aria-label={by(show)}
            aria-expanded={open}
            aria-controls={open ? list : undefined}
            onClick={() => setOpen(!open)}
          >
            {show}
          </button>
        </p>
      </div>
    </article>
  );
}

/** Who is let through whatever the policy says; nothing if nobody is. */
function Accepted() {
  const { data } = usePolicy();
  if (!data || data.acceptedSenders.length === 0) return null;
  return (
    <Suspense>
      <AcceptedPeople />
    </Suspense>
  );
}
