import "../../i18n/account";
import "../../i18n/agents";
import "../../i18n/moving";
import { ChevronRight } from "lucide-react";
import { Link } from "wouter";
import { useRole } from "../../lib/role";
import { useMe, useSession } from "../../lib/session";
import { useTranslation } from "../../lib/speech";
import { useInstance } from "../instance/instance";
import { AccountList } from "./AccountList";
import Unverified from "./Unverified";

/** The account of the page and the others of this browser, and the pages about it. */
export default function AccountSection() {
  const { t } = useTranslation(["translation", "account", "agents", "moving"]);
  const federates = useInstance().data?.federation;
  const me = useMe();
  const { account } = useSession();
  const role = useRole().data;
  return (
    <section>
      <h2>{t("settings.account")}</h2>
      {account?.email && (
        <>
          <p className="muted">{account.email}</p>
          <Unverified />
        </>
      )}
      <AccountList />
      {me && (
        <Link href="/settings/account" className="further">
          <strong>{t("account:title")}</strong>
          <span className="muted">{t("account:hint")}</span>
          <ChevronRight className="onwards" size={20} aria-hidden="true" />
        </Link>
      )}
      {me?.bot && (
        <Link href="/settings/agent" className="further">
          <strong>{t("agents:title")}</strong>
          <span className="muted">{t("agents:hint")}</span>
          <ChevronRight className="onwards" size={20} aria-hidden="true" />
        </Link>
      )}
      {me && (
        <Link href="/settings/apps" className="further">
          <strong>{t("account:apps")}</strong>
          <span className="muted">{t("account:appsHint")}</span>
          <ChevronRight className="onwards" size={20} aria-hidden="true" />
        </Link>
      )}
      {me && (
        <Link href="/settings/decisions" className="further">
          <strong>{t("account:decisions")}</strong>
          <span className="muted">{t("account:decisionsHint")}</span>
          <ChevronRight className="onwards" size={20} aria-hidden="true" />
        </Link>
      )}
      {me && federates && (
        <Link href="/settings/moving" className="further">
          <strong>{t("moving:title")}</strong>
          <span className="muted">{t("moving:hint")}</span>
          <ChevronRight className="onwards" size={20} aria-hidden="true" />
        </Link>
      )}
      {role?.moderates && (
        <Link className="button" href="/admin">
          {t("nav.admin")}
        </Link>
      )}
    </section>
  );
}
