import { useTranslation } from "../../lib/speech";
import type { Order } from "./orders";

/** What has become of an order. */
export function Status({ of }: { of: Pick<Order, "status"> }) {
  const { t } = useTranslation();
  return <span className={`status ${of.status}`}>{t(`orders.status.${of.status}`)}</span>;
}
