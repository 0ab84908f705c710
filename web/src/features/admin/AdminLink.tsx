import { ShieldCheck } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import { Link, useLocation } from "wouter";
import { useRole } from "../../lib/role";

/** The way to the pages of moderators and administrators, for them. */
export default function AdminLink() {
  const { t } = useTranslation();
  const [path] = useLocation();
  if (!useRole().data?.moderates) return null;
  return (
    <Link href="/admin" className="place" aria-current={path === "/admin" ? "page" : undefined}>
      <ShieldCheck aria-hidden="true" />
      <span className="label">{t("nav.admin")}</span>
    </Link>
  );
}
