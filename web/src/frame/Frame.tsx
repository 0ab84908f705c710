import {
  Bell,
  Bookmark,
  FilePen,
  House,
  LogIn,
  Mail,
  Plus,
  Search,
  Settings,
  Store,
  User,
} from "lucide-react";
import { Suspense, useEffect, type ReactNode } from "react";
import { personPath } from "../lib/paths";
import { useTranslation } from "../lib/speech";
import { Link, useLocation } from "wouter";
import { late } from "../lib/drawn";
import { useKeys } from "../lib/keyboard";
import { show } from "../lib/overlays";
import { useMe, useSession } from "../lib/session";
import { countInTitle } from "../lib/title";
import { useTalks, useUnread } from "../features/notifications/unread";
import { Accounts } from "../features/account/Accounts";
import { Avatar } from "../ui/Avatar";
import { Spark } from "../ui/Spark";
import { TopEnd } from "../ui/Top";
import { useUnverified } from "../lib/verify";
import { Offline, Stale } from "../ui/states";
import { Write } from "./Write";

const AdminLink = late(() => import("../features/admin/AdminLink"));
const Aside = late(() => import("./Aside"));
const CartLink = late(() => import("../features/shop/CartLink"));
const Unverified = late(() => import("../features/account/Unverified"));

const cartLink = (always: boolean) => (
  <Suspense>
    <CartLink always={always} />
  </Suspense>
);

/** What stands around every page: the places to go to, and what is going on. */
export function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { guest, state } = useSession();
  const me = useMe();
  const [path, go] = useLocation();
  const unread = useUnread();
  const talks = useTalks()?.count;
  const places = [
    ...(guest ? [] : [{ to: "/", name: t("nav.home"), icon: <House aria-hidden="true" /> }]),
    { to: "/explore", name: t("nav.explore"), icon: <Search aria-hidden="true" /> },
    ...(guest
      ? []
      : [
          {
            to: "/notifications",
            name: t("nav.notifications"),
            icon: <Bell aria-hidden="true" />,
            badge: unread,
          },
          {
            to: "/messages",
            name: t("nav.messages"),
            icon: <Mail aria-hidden="true" />,
            badge: talks,
          },
          { to: "/bookmarks", name: t("nav.bookmarks"), icon: <Bookmark aria-hidden="true" /> },
        ]),
    { to: "/shop", name: t("shop.title"), icon: <Store aria-hidden="true" /> },
    ...(me
      ? [{ to: personPath(me), name: t("nav.profile"), icon: <User aria-hidden="true" /> }]
      : []),
    ...(guest
      ? []
      : [{ to: "/drafts", name: t("drafts.title"), icon: <FilePen aria-hidden="true" /> }]),
    { to: "/settings", name: t("nav.settings"), icon: <Settings aria-hidden="true" /> },
  ];
  useEffect(() => {
    countInTitle(unread);
    return () => countInTitle(0); // the pages without a frame count nothing
  }, [unread]);
  const visits = guest && state !== "loading";
  const write = () => {
    if (state === "loading") return; // nobody knows yet who this is
    if (guest) go("/sign-up");
    else show({ kind: "compose" });
  };
  useKeys({
    // A page with a field of its own takes it.
    c: () => dispatchEvent(new Event("hibana-write", { cancelable: true })) && write(),
    "g h": () => go("/"),
    "g n": () => go("/notifications"),
    "g m": () => go("/messages"),
    "g e": () => go("/explore"),
    "g s": () => go("/shop"),
    "g p": () => me && go(personPath(me)),
    "/": () => (
      go("/explore"),
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>("#search")?.focus())
    ),
    "?": () => show({ kind: "keys" }),
  });
  // Until it is known who this is there are no places, so that none of them moves.
  const links = (state === "loading" ? [] : places).map((place) => (
    <Link
      key={place.to}
      href={place.to}
      className="place"
      aria-current={path === place.to ? "page" : undefined}
    >
      {place.icon}
      <span className="label">{place.name}</span>
      {place.badge ? (
        <span className="badge" aria-label={t("notifications.unread") + ": " + place.badge}>
          {place.badge > 99 ? "99+" : place.badge}
        </span>
      ) : null}
    </Link>
  ));
  return (
    <>
      <a className="skip" href="#content">
        {t("nav.skip")}
      </a>
      <div className="frame">
        <header className="rail">
          <Link href="/" className="brand" aria-label="Hibana 火花">
            <Spark filled />
            <span>
              Hibana <small>火花</small>
            </span>
          </Link>
          <nav aria-label={t("nav.label")}>
            {links}
            {me && (
              <Suspense>
                <AdminLink />
              </Suspense>
            )}
          </nav>
          {state !== "loading" && (me || guest) && (
            <button
              className="button main"
              onClick={write}
              aria-label={t(me ? "nav.compose" : "nav.signUp")}
            >
              <Plus size={20} aria-hidden="true" />
              <span className="label">{t(me ? "nav.compose" : "nav.signUp")}</span>
            </button>
          )}
          {visits && (
            <Link href="/sign-in" className="button" aria-label={t("nav.signIn")}>
              <LogIn size={20} aria-hidden="true" />
              <span className="label">{t("nav.signIn")}</span>
            </Link>
          )}
          {me && (
            <Accounts className="whoami">
              <Avatar of={me} size="small" />
              <span className="names">
                <strong dir="auto">{me.nickname}</strong>
                <span>@{me.username}</span>
              </span>
            </Accounts>
          )}
        </header>
        <main className="column" id="content" tabIndex={-1}>
          <Offline />
          {useUnverified() && me && (
            <Suspense>
              <Unverified />
            </Suspense>
          )}
          <Stale />
          <TopEnd value={cartLink}>{children}</TopEnd>
        </main>
        <Suspense fallback={<div className="aside" />}>
          <Aside />
        </Suspense>
      </div>
      <nav className="bottom" aria-label={t("nav.more")}>
        {links.slice(0, 7)}
        {visits && (
          <div className="enter">
            <Link href="/sign-in" className="button small">
              {t("nav.signIn")}
            </Link>
            <Link href="/sign-up" className="button main small">
              {t("nav.signUp")}
            </Link>
          </div>
        )}
      </nav>
      {me && !busy(path) && <Write onClick={write} />}
    </>
  );
}

// Where somebody buys or fills in forms, nothing lies over prices and buttons.
const busy = (path: string) =>
  /^\/(admin|shop|cart|orders|settings|messages|oauth|notifications\/requests)(\/|$)/.test(path);
