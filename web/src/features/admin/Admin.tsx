import "../../i18n/admin";
import "../../i18n/agents";
import "../../i18n/find";
import "../../i18n/instance";
import "../../i18n/small";
import "../../i18n/webhooks";
import "../../i18n/domains";
import { lazy, Suspense, type ReactNode } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { Top } from "../../ui/Top";
import { Orders } from "./AdminOrders";
import { EditProduct, Products } from "./AdminProducts";
import { Reports } from "./AdminReports";
import { Failed, Loading, NoPage } from "../../ui/states";
import { decode } from "../../lib/paths";
import { useRole } from "../../lib/role";

const Agents = lazy(() => import("./AdminAgents"));
const Announcements = lazy(() => import("./AdminAnnouncements"));
const Appeals = lazy(() => import("./AdminAppeals"));
const Trends = lazy(() => import("./AdminTrends"));
const Instance = lazy(() => import("./AdminInstance"));
const SignUps = lazy(() => import("./AdminSignUps"));
const Invitations = lazy(() => import("./AdminInvitations"));
const Webhooks = lazy(() => import("./AdminWebhooks"));
const Domains = lazy(() => import("./AdminDomains"));
const Accounts = lazy(() => import("./AdminAccounts"));

// There are more tabs than a phone has room for. Only the row of tabs may scroll.
const seen = (tab: HTMLAnchorElement | null) => {
  const row = tab?.parentElement;
  if (!tab || !row) return;
  const [a, b] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += (a.left + a.right - b.left - b.right) / 2;
};

/**
 * What moderators and administrators look after: reports, products, orders to ship, announcements,
 * accounts, invitations, agents, and the instance itself.
 */
export default function Admin({ part, id }: { part?: string | undefined; id?: string }) {
  const { t } = useTranslation([
    "translation",
    "admin",
    "find",
    "small",
    "instance",
    "agents",
    "webhooks",
    "domains",
  ]);
  const { data: role, error, refetch } = useRole();
  if (error && !role) return <Failed failure={error} again={() => void refetch()} />;
  if (!role) return <Loading as="panels" rows={2} />;
  const parts: Record<string, { to: string; name: string; page: ReactNode }> = {
    ...(role.moderates && {
      reports: { to: "/admin", name: t("admin:reports.title"), page: <Reports /> },
      appeals: { to: "/admin/appeals", name: t("admin:appeals"), page: <Appeals /> },
    }),
    ...(role.sells && {
      products: {
        to: "/admin/products",
        name: t("admin:products.title"),
        page: id ? <EditProduct key={id} id={id} /> : <Products />,
      },
    }),
    ...(role.sells && {
      orders: { to: "/admin/orders", name: t("admin:orders.title"), page: <Orders /> },
      announcements: {
        to: "/admin/announcements",
        name: t("small:announcements.title"),
        page: <Announcements />,
      },
    }),
    ...(role.sells && {
      users: {
        to: "/admin/users",
        name: t("instance:accounts.title"),
        page: <Accounts key={id} {...(id ? { uid: decode(id) } : {})} />,
      },
      signups: {
        to: "/admin/signups",
        name: t("instance:signUps.title"),
        page: <SignUps />,
      },
      invitations: {
        to: "/admin/invitations",
        name: t("instance:invitations.title"),
        page: <Invitations />,
      },
      agents: { to: "/admin/agents", name: t("agents:agents"), page: <Agents /> },
      trends: { to: "/admin/trends", name: t("admin:trends"), page: <Trends /> },
      webhooks: { to: "/admin/webhooks", name: t("webhooks:title"), page: <Webhooks /> },
      fediverse: { to: "/admin/fediverse", name: t("domains:title"), page: <Domains /> },
      instance: { to: "/admin/instance", name: t("instance:admin.title"), page: <Instance /> },
    }),
  };
  const shown = part ?? "reports";
  if (!parts[shown]) return <NoPage />;
  return (
    <>
      <Top title={t("nav.admin")} called={`${parts[shown].name} · ${t("nav.admin")}`} />
      <nav className="tabs" aria-label={t("nav.admin")}>
        {Object.entries(parts).map(([name, one]) => (
          <Link
            key={name}
            href={one.to}
            replace
            ref={name === shown ? seen : undefined}
            aria-current={name === shown ? "page" : undefined}
          >
            {one.name}
          </Link>
        ))}
      </nav>
      <Suspense key={shown} fallback={<Loading as="panels" rows={2} />}>
        {parts[shown].page}
      </Suspense>
    </>
  );
}
