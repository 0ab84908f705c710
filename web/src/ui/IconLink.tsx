import type { ReactNode } from "react";
import { Link } from "wouter";

/** An icon that leads to a page. */
export function IconLink({
  href,
  label,
  handheld = false,
  children,
}: {
  href: string;
  label: string;
  /** Whether it stands on phones alone, in the place of an entry of the rail. */
  handheld?: boolean;
  children: ReactNode;
}) {
  return (
    <Link
      href={href}
      className={handheld ? "icon handheld" : "icon"}
      aria-label={label}
      title={label}
    >
      {children}
    </Link>
  );
}
