import "../../i18n/account";
import "../../styles/accounts.css";
import { ChevronRight, LogOut } from "lucide-react";
import type { Entry } from "../../lib/accounts";
import { useTranslation } from "../../lib/speech";
import { AccountNames } from "./AccountNames";
import { calledOf, open } from "./switching";

/** The accounts of this browser other than that of the page. A click goes to one. */
export default function OtherAccounts({
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
