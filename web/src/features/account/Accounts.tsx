import { lazy, Suspense, useState, type ReactNode } from "react";

const Menu = lazy(() => import("./AccountsMenu"));

/** A button that opens the menu of accounts. The menu's scripts come with the first click. */
export function Accounts({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <button
      className={className}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={wanted}
      onClick={() => setWanted(true)}
    >
      {children}
    </button>
  );
  return wanted ? (
    <Suspense fallback={button}>
      <Menu label={label} className={className}>
        {children}
      </Menu>
    </Suspense>
  ) : (
    button
  );
}
