import "../../i18n/guests";
import { useTranslation, type Say } from "../../lib/speech";
import { Link } from "wouter";
import { cancel, useOrder, type Order as Ordered } from "./orders";
import { Top } from "../../ui/Top";
import { Status } from "./OrderFacts";
import { Money, Picture } from "./ProductCard";
import { Failed, Loading } from "../../ui/states";
import { When } from "../../lib/time";

/** An order: its items, and every state that it had. */
export default function Order({ id }: { id: string }) {
  const { t, i18n } = useTranslation(["translation", "guests"]);
  const query = useOrder(id);
  const order = query.data;
  return (
    <>
      <Top title={t("orders.one")} cart />
      {query.isPending ? (
        <Loading rows={2} />
      ) : !order ? (
        <Failed failure={query.error} again={() => void query.refetch()} />
      ) : (
        <div className="order">
          <div role="status">
            <Status of={order} />
            <p>
              {t(`orders.hint.${order.status}`)}
              {order.reason && ` ${because(order, t)}`}
              {late(order) && ` ${t("guests:late")}`}
            </p>
          </div>
          {order.email && (
            <p className="muted">
              {t("guests:to", { email: order.email })}
              {order.shipBy &&
                ` ${t("guests:shipBy", { when: whole(order.shipBy, i18n.language) })}`}
            </p>
          )}
          <ul aria-label={t("orders.items")}>
            {order.items.map((item) => (
              <li key={item.productId}>
                <Picture of={{ id: item.productId, image: item.image ?? "" }} />
                <span>
                  <Link className="name" href={`/shop/${item.productId}`}>
                    {item.name}
                  </Link>{" "}
                  <span className="muted">× {item.quantity}</span>
                </span>
                <Money
                  of={{ amount: item.unitPrice * item.quantity, currency: order.total.currency }}
                />
              </li>
            ))}
            <li className="whole">
              <span>{t("cart.total")}</span>
              <strong>
                <Money of={order.total} />
              </strong>
            </li>
          </ul>
          <ol aria-label={t("orders.history")}>
            {order.history.map((change) => (
              <li key={change.status}>
                <span>{t(`orders.status.${change.status}`)}</span>
                <span className="muted">
                  <When at={change.at} />
                </span>
              </li>
            ))}
          </ol>
          <div className="ends">
            {order.status === "rejected" && (
              <Link className="button main" href="/cart">
                {t("orders.back")}
              </Link>
            )}
            {(order.status === "pending" || order.status === "confirmed") && (
              <button className="button danger" onClick={() => void cancel(order)}>
                {t("orders.cancel")}
              </button>
            )}
            <Link className="linklike" href="/orders">
              {t("orders.all")}
            </Link>
          </div>
        </div>
      )}
    </>
  );
}

const whole = (at: string, language: string) =>
  new Date(at).toLocaleString(language, { dateStyle: "long", timeStyle: "short" });

// The shop itself cancels only what it did not ship in time.
function late(order: Ordered): boolean {
  const last = order.history[order.history.length - 1];
  return !!order.guest && last?.status === "cancelled" && !last.by;
}

function because(order: Ordered, t: Say): string {
  const name =
    order.items.find((item) => item.productId === order.reason!.productId)?.name ??
    t("cart.unknown");
  const { code } = order.reason!;
  return code === "guest_share"
    ? t("guests:share", { name })
    : t(`orders.reason.${code}`, { name });
}
