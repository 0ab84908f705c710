import { lazy, Suspense, useState, type ReactNode } from "react";
import { useTranslation } from "../../lib/speech";

const Menu = lazy(() => import("./AccountsMenu"));

/** A button that opens the menu of accounts. The menu's scripts come with the first click. */
export function Accounts({ className, children }: { className: string; children: ReactNode }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const button = (
    <button
      className={className}
      aria-haspopup="menu"
      aria-expanded={wanted}
      onClick={() => setWanted(true)}
    >
      <span className="hidden">{t("nav.accounts")}</span> {children}
    </button>
  );
  return wanted ? (
    <Suspense fallback={button}>
      <Menu className={className}>{children}</Menu>
    </Suspense>
  ) : (
    button
  );
}
