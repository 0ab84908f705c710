import "../../i18n/account";
import "../../styles/accounts.css";
import { ChevronRight, LogOut, UserPlus } from "lucide-react";
import { appHere, free, useAccounts, type Entry } from "../../lib/accounts";
import { signOut } from "../../lib/session";
import { useTranslation } from "../../lib/speech";
import { AccountNames } from "./AccountNames";
import { add, calledOf, open } from "./switching";

/** The accounts of this browser other than that of the page. A click goes to one. */
export function OtherAccounts({
  of,
  onOut,
}: {
  of: readonly Entry[];
  onOut?: (one: Entry) => void;
}) {
  const { t } = useTranslation("account");
  return (
    <ul className="accountlist">
      {of.map((one) => (
        <li key={one.app}>
          <button type="button" onClick={() => open(one)}>
            <AccountNames of={one} here={false} />
            <ChevronRight className="onwards" size={20} aria-hidden="true" />
          </button>
          {onOut && (
            <button
              type="button"
              className="icon"
              aria-label={t("accounts.out", { name: calledOf(one) })}
              title={t("accounts.out", { name: calledOf(one) })}
              onClick={() => onOut(one)}
            >
              <LogOut className="backwards" size={20} aria-hidden="true" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The accounts of this browser, for the settings, with the ways to add one and to sign out. */
export function AccountList() {
  const { t } = useTranslation(["account", "translation"]);
  const all = useAccounts();
  const others = all.filter(({ app }) => app !== appHere());
  return (
    <>
      <button className="button" onClick={() => void signOut()}>
        {t("translation:settings.signOut")}
      </button>
      {others.length > 0 && (
        <>
          <h3>{t("accounts.others")}</h3>
          <OtherAccounts of={others} onOut={({ app }) => void signOut([app])} />
        </>
      )}
      {free(all) ? (
        <button className="button" onClick={add}>
          <UserPlus size={18} aria-hidden="true" />
          {t("accounts.add")}
        </button>
      ) : (
        <p className="muted">{t("accounts.full")}</p>
      )}
      {others.length > 0 && (
        <button className="button" onClick={() => void signOut(all.map(({ app }) => app))}>
          {t("accounts.all")}
        </button>
      )}
    </>
  );
}
