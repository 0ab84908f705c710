import { ChevronRight } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { useOrders, type Order } from "./orders";
import { Top } from "../../ui/Top";
import { Status } from "./OrderFacts";
import { Money, Picture } from "./ProductCard";
import { Empty, Failed, Loading } from "../../ui/states";
import { When } from "../../lib/time";
import { More } from "../../ui/More";

/** What the reader has ordered. */
export default function Orders() {
  const { t } = useTranslation();
  const query = useOrders();
  const orders = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <Top title={t("orders.title")} cart />
      {query.isPending ? (
        <Loading as="talks" />
      ) : query.isError && !query.data ? (
        <Failed failure={query.error} again={() => void query.refetch()} />
      ) : orders.length === 0 ? (
        <Empty title={t("orders.empty")} hint={t("orders.emptyHint")}>
          <Link className="button main" href="/shop">
            {t("shop.title")}
          </Link>
        </Empty>
      ) : (
        <>
          <ul>
            {orders.map((order) => (
              <li key={order.id}>
                <Row order={order} />
              </li>
            ))}
          </ul>
          <More of={query} label={t("orders.older")} />
        </>
      )}
    </>
  );
}

function Row({ order }: { order: Order }) {
  const { t } = useTranslation();
  const more = order.items.length - 1;
  return (
    <Link href={`/orders/${order.id}`} className="ordered pictured">
      {order.items[0] && (
        <Picture of={{ id: order.items[0].productId, image: order.items[0].image ?? "" }} />
      )}
      <span className="what">
        <strong>
          {order.items[0]?.name}
          {more > 0 && ` ${t("orders.andMore", { count: more })}`}
        </strong>
        <span className="muted">
          <When at={order.createdAt} /> · <Money of={order.total} />
        </span>
      </span>
      <Status of={order} />
      <ChevronRight size={18} aria-hidden="true" />
    </Link>
  );
}
