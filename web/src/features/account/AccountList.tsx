import "../../i18n/account";
import { UserPlus } from "lucide-react";
import { appHere, useAccounts } from "../../lib/accounts";
import { tell } from "../../lib/failures";
import { signOut } from "../../lib/session";
import { useTranslation } from "../../lib/speech";
import OtherAccounts from "./OtherAccounts";
import { add, free } from "./switching";

/** The accounts of this browser, for the settings, with the ways to add one and to sign out. */
export function AccountList() {
  const { t } = useTranslation(["account", "translation"]);
  const all = useAccounts();
  const others = all.filter(({ app }) => app !== appHere());
  return (
    <>
      <button className="button" onClick={() => void signOut().catch(tell)}>
        {t("translation:settings.signOut")}
      </button>
      {others.length > 0 && (
        <>
          <h3>{t("accounts.others")}</h3>
          <OtherAccounts of={others} onOut={({ app }) => void signOut([app]).catch(tell)} />
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
        <button
          className="button"
          onClick={() => void signOut(all.map(({ app }) => app)).catch(tell)}
        >
          {t("accounts.all")}
        </button>
      )}
    </>
  );
}
