import { ShieldCheck } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import { Link, useLocation } from "wouter";
import { useRole } from "../../lib/role";
import { IconLink } from "../../ui/IconLink";

/** The way to the pages of moderators and administrators, for them: in the rail, or as a sign on phones. */
export default function AdminLink({ handheld = false }: { handheld?: boolean }) {
  const { t } = useTranslation();
  const [path] = useLocation();
  if (!useRole().data?.moderates) return null;
  if (handheld)
    return (
      <IconLink handheld href="/admin" label={t("nav.admin")}>
        <ShieldCheck size={20} aria-hidden="true" />
      </IconLink>
    );
  return (
    <Link href="/admin" className="place" aria-current={path === "/admin" ? "page" : undefined}>
      <ShieldCheck aria-hidden="true" />
      <span className="label">{t("nav.admin")}</span>
    </Link>
  );
}
