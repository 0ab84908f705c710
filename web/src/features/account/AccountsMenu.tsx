import "../../i18n/later";
import "../../i18n/account";
import "../../styles/accounts.css";
import { LogOut, UserPlus } from "lucide-react";
import { DropdownMenu as Menu } from "radix-ui";
import type { ReactNode } from "react";
import { appHere, useAccounts } from "../../lib/accounts";
import { tell } from "../../lib/failures";
import { signOut } from "../../lib/session";
import { useTranslation } from "../../lib/speech";
import { AccountNames } from "./AccountNames";
import { add, calledOf, free, open } from "./switching";

/** The accounts of this browser, in a menu that opens when it comes. */
export default function AccountsMenu({
  className,
  children,
}: {
  className: string;
  children: ReactNode;
}) {
  const { t } = useTranslation(["account", "translation"]);
  const all = useAccounts();
  const here = all.find(({ app }) => app === appHere());
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger className={className}>
        <span className="hidden">{t("translation:nav.accounts")}</span> {children}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          className="menu accounts"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("accounts.title")}
        >
          {/* The one in use first; the others in an order that stays while the menu is open. */}
          {all.map((one) => (
            <Menu.Item key={one.app} onSelect={() => one !== here && open(one)}>
              <AccountNames of={one} here={one === here} />
            </Menu.Item>
          ))}
          <Menu.Separator className="line" />
          <Menu.Item disabled={!free(all)} onSelect={add}>
            <UserPlus aria-hidden="true" />
            {t(free(all) ? "accounts.add" : "accounts.full")}
          </Menu.Item>
          <Menu.Item onSelect={() => void signOut().catch(tell)}>
            <LogOut className="backwards" aria-hidden="true" />
            {here ? t("accounts.out", { name: calledOf(here) }) : t("translation:settings.signOut")}
          </Menu.Item>
          {all.length > 1 && (
            <Menu.Item onSelect={() => void signOut(all.map(({ app }) => app)).catch(tell)}>
              <LogOut className="backwards" aria-hidden="true" />
              {t("accounts.all")}
            </Menu.Item>
          )}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
