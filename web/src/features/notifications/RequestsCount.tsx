import "../../i18n/policy";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { useRequests } from "./policy";

/** The way to what the reader's settings filtered, and of how many people; nothing if of nobody. */
export function RequestsCount() {
  const { t } = useTranslation("policy");
  const { data, hasNextPage } = useRequests();
  const count = data?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? 0;
  if (count === 0 && !hasNextPage) return null;
  return (
    <Link className="openbranch" href="/notifications/requests">
      {hasNextPage ? t("more", { count }) : t("count", { count })}
    </Link>
  );
}
