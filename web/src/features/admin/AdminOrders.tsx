import "../../i18n/guests";
import { useInfiniteQuery, type InfiniteData } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, changeList, hibana, queries } from "../../lib/api";
import { tell } from "../../lib/failures";
import type { Order } from "../shop/orders";
import { When } from "../../lib/time";
import { toast } from "../../lib/toast";
import { Status } from "../shop/OrderFacts";
import { Money } from "../shop/ProductCard";
import { Empty, Failed, Loading } from "../../ui/states";
import { More } from "../../ui/More";
import { adminKeys } from "./keys";

type List = InfiniteData<{ items: Order[]; nextPageToken: string }>;
type State = Order["status"];

const states: State[] = ["confirmed", "pending", "shipped", "cancelled", "rejected"];
const key = adminKeys.orders;

/** The orders of all customers that have a state, oldest first: first of all those to ship. */
export function Orders() {
  const { t } = useTranslation(["admin", "translation"]);
  const [state, setState] = useState<State>("confirmed");
  const query = useInfiniteQuery({
    queryKey: key(state),
    meta: { keep: false }, // they are about others
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(
        hibana.GET("/v1/admin/orders", {
          params: { query: { status: state, pageToken: pageParam } },
        }),
      ),
    getNextPageParam: (last) => last.nextPageToken || undefined,
    staleTime: 0, // also of a state that was shown a moment ago
    refetchOnMount: "always",
  });
  const orders = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="settings">
      <label className="field">
        <span>{t("orders.state")}</span>
        <select
          className="input"
          value={state}
          onChange={(event) => setState(event.target.value as State)}
        >
          {states.map((one) => (
            <option key={one} value={one}>
              {t(`translation:orders.status.${one}`)}
            </option>
          ))}
        </select>
      </label>
      {query.isPending ? (
        <Loading rows={2} />
      ) : !query.data ? (
        <Failed failure={query.error} again={() => void query.refetch()} />
      ) : (
        <>
          {orders.length === 0 && !query.hasNextPage && (
            <Empty title={t("orders.none")} hint={t("orders.noneHint")} />
          )}
          {orders.map((order) => (
            <One key={order.id} order={order} />
          ))}
          <More of={query} label={t("admin:more")} />
        </>
      )}
    </div>
  );
}

function One({ order }: { order: Order }) {
  const { t } = useTranslation(["admin", "translation", "guests"]);
  const [busy, setBusy] = useState(false);
  const params = { params: { path: { uid: order.userId, id: order.id } } };
  const become = async (act: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await act();
      await changeList<List>(key(order.status), (list) => ({
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.filter((one) => one.id !== order.id),
        })),
      }));
      toast.success(done);
    } catch (failure) {
      tell(failure);
      setBusy(false);
      void queries.invalidateQueries({ queryKey: key(order.status) }); // the customer or somebody else may have changed it
    }
  };
  const ship = () =>
    become(
      () => hibana.POST("/v1/admin/users/{uid}/orders/{id}/ship", params),
      t("orders.shipped"),
    );
  const cancel = () =>
    become(
      () => hibana.POST("/v1/admin/users/{uid}/orders/{id}/cancel", params),
      t("orders.cancelled"),
    );
  return (
    <section aria-label={t("orders.one", { id: order.id })}>
      <p>
        <Status of={order} />{" "}
        <span className="muted">
          <When at={order.createdAt} /> · <Money of={order.total} />
        </span>
      </p>
      <ul aria-label={t("translation:orders.items")}>
        {order.items.map((item) => (
          <li key={item.productId}>
            <Link className="linklike" href={`/admin/products/${item.productId}`}>
              {item.name}
            </Link>{" "}
            × {item.quantity}
          </li>
        ))}
      </ul>
      <p>
        {order.email ? (
          t("guests:of", { email: order.email })
        ) : (
          <Link className="linklike" href={`/users/${order.userId}`}>
            {t("orders.customer")}
          </Link>
        )}
      </p>
      {(order.status === "confirmed" || order.status === "pending") && (
        <div className="choices">
          <button className="button danger" disabled={busy} onClick={() => void cancel()}>
            {t("translation:orders.cancel")}
          </button>
          {order.status === "confirmed" && (
            <button className="button main" disabled={busy} onClick={() => void ship()}>
              {t("orders.ship")}
            </button>
          )}
        </div>
      )}
    </section>
  );
}
