import "../../i18n/find";
import type { ReactNode } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, type UserSummary } from "../../lib/api";
import { monthName } from "../../lib/time";
import { PeopleList } from "../people/PeopleList";
import { adminKeys } from "./keys";

/** Everybody, the newest account first, for administrators. */
export function Users({ button }: { button: (user: UserSummary) => ReactNode }) {
  const { t, i18n } = useTranslation("find");
  return (
    <PeopleList
      name={adminKeys.users}
      page={(pageToken) => body(hibana.GET("/v1/users", { params: { query: { pageToken } } }))}
      button={button}
      note={(user) => t("joined", { when: monthName(user.createdAt, i18n.language) })}
    />
  );
}
