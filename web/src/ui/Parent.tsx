import { ArrowLeft } from "lucide-react";
import { useTranslation } from "../lib/speech";
import { Link } from "wouter";

/** The way back to the settings from one of their pages. */
export function Parent() {
  const { t } = useTranslation();
  return (
    <Link href="/settings" className="button small parent">
      <ArrowLeft className="backwards" size={16} aria-hidden="true" />
      {t("settings.title")}
    </Link>
  );
}
