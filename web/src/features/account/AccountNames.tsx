import { Check } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import type { Entry } from "../../lib/accounts";
import { Avatar } from "../../ui/Avatar";
import { calledOf } from "./switching";

/** An account of this browser in a row: its picture, its names, and whether it is the one in use. */
export function AccountNames({ of, here }: { of: Entry; here: boolean }) {
  const { t } = useTranslation("account");
  const called = calledOf(of);
  return (
    <>
      <Avatar of={{ ...of, username: of.username || of.uid }} size="small" />
      <span className="names">
        <strong dir="auto">{of.nickname || called}</strong>
        {called !== of.nickname && <span dir="ltr">{called}</span>}
        {of.ended && <span>{t("accounts.ended")}</span>}
      </span>
      {here && <Check aria-label={t("accounts.here")} />}
    </>
  );
}
