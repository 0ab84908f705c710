import "../i18n/messages";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { countKey } from "../messages";

/** How many conversations have unread messages, on the way to them. Messenger.tsx asks. */
export default function MessagesBadge() {
  const { t } = useTranslation();
  const { data } = useQuery<{ count: number; requests: number }>({
    queryKey: countKey,
    queryFn: skipToken,
  });
  const count = data?.count ?? 0;
  if (count === 0) return null;
  return (
    <span className="badge" aria-label={`${t("notifications.unread")}: ${count}`}>
      {count > 99 ? "99+" : count}
    </span>
  );
}
