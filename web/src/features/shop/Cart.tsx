import "../../i18n/guests";
import { Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link, useLocation } from "wouter";
import { HibanaError } from "../../lib/api";
import { rereadCart, useCart, type Cart as Content, type CartItem } from "./cart";
import { sentence, tell } from "../../lib/failures";
import { currencies } from "./money";
import { place } from "./orders";
import { Top } from "../../ui/Top";
import { Money, Picture } from "./ProductCard";
import { Quantity } from "./Quantity";
import { Empty, Failed, Loading } from "../../ui/states";
import { useSession } from "../../lib/session";
import { mostPieces, put, see } from "./shop";

const ofPrice = ["price_up", "price_down", "currency_changed"];
const mostOfGuest = 10; // pieces in an order, model.MaxGuestPieces
type Told = Record<string, string>;

/** What somebody is going to order, with what is new since the last look. */
export default function Cart() {
  const { t } = useTranslation(["translation", "guests"]);
  const { guest, state } = useSession();
  const query = useCart();
  const told = useTold(query.isFetchedAfterMount ? query.data?.items : undefined);
  // Prices and stock change while nobody looks.
  useEffect(() => void rereadCart(), []);
  const items = query.data?.items ?? [];
  const none = (
    <Empty title={t("cart.empty")} hint={t("cart.emptyHint")}>
      <Link className="button main" href="/shop">
        {t("shop.title")}
      </Link>
    </Empty>
  );
  return (
    <>
      <Top title={t("cart.title")}>
        {state === "in" && (
          <Link className="linklike" href="/orders">
            {t("orders.title")}
          </Link>
        )}
      </Top>
      {state === "out" ? (
        none
      ) : query.isPending ? (
        <Loading as="talks" rows={2} />
      ) : !query.data ? (
        <Failed failure={query.error} again={() => void query.refetch()} />
      ) : items.length === 0 ? (
        none
      ) : (
        <div className="cart">
          <ul aria-label={t("cart.title")}>
            {items.map((item) => (
              <Line key={item.productId} item={item} told={told[item.productId]} />
            ))}
          </ul>
          <section className="sum" aria-label={t("cart.total")}>
            {query.data.totals.map((total) => (
              <p key={total.currency}>
                <span>{t("cart.total")}</span>
                <strong>
                  <Money of={total} />
                </strong>
              </p>
            ))}
            {guest ? (
              <>
                <Checkout cart={query.data} guest />
                <p className="muted">{t("guests:kept")}</p>
                <Link className="button wide" href="/sign-up?to=cart">
                  {t("guests:signUp")}
                </Link>
              </>
            ) : (
              <Checkout cart={query.data} />
            )}
          </section>
        </div>
      )}
    </>
  );
}

/** Orders what is shown. What cannot be ordered is said before, and what the API refuses after. */
function Checkout({ cart, guest = false }: { cart: Content; guest?: boolean }) {
  const { t, i18n } = useTranslation(["translation", "guests"]);
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const [email, setEmail] = useState("");
  const blocked = cart.items.some(
    (item) =>
      !item.product?.active ||
      item.changes.includes("sold_out") ||
      item.changes.includes("too_few"),
  );
  const mixed = cart.totals.length > 1;
  const many = guest && cart.items.reduce((sum, item) => sum + item.quantity, 0) > mostOfGuest;
  const order = async () => {
    setBusy(true);
    setFailure("");
    try {
      go(`/orders/${(await place(cart, guest ? email.trim() : undefined)).id}`);
    } catch (problem) {
      // A refusal stands beside the button. Without an answer the order may have been made, and
      // then nothing is left to order.
      if (problem instanceof HibanaError) setFailure(sentence(problem));
      else tell(problem);
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void order();
      }}
    >
      {(blocked || mixed) && (
        <p className="muted">
          {blocked
            ? t("cart.blocked")
            : t("shop.mixed", {
                currencies: currencies(
                  cart.totals.map(({ currency }) => currency),
                  i18n.language,
                ),
              })}
        </p>
      )}
      {many && <p className="muted">{t("guests:many", { most: mostOfGuest })}</p>}
      {failure && (
        <p className="change" role="alert">
          {failure}
        </p>
      )}
      {guest && (
        <label className="field">
          <span>{t("guests:email")}</span>
          <input
            className="input"
            type="email"
            autoComplete="email"
            required
            maxLength={100}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            aria-describedby="order-email"
          />
          <span id="order-email" className="muted">
            {t("guests:emailHint")}
          </span>
        </label>
      )}
      <button className="button main wide" disabled={busy || blocked || mixed || many}>
        {t(busy ? "sign.wait" : "cart.order")}
      </button>
    </form>
  );
}

// useTold is what has become of prices since the customer last looked. Showing it says to the API
// that it was seen, so the page remembers it while it is open.
function useTold(items: CartItem[] | undefined): Told {
  const [told, setTold] = useState<Told>({});
  const sent = useRef("");
  useEffect(() => {
    const fresh = (items ?? []).flatMap((item) =>
      item.changes
        .filter((change) => ofPrice.includes(change))
        .map((change) => [item.productId, change, item.product?.price] as const),
    );
    const key = JSON.stringify(fresh);
    if (fresh.length === 0 || key === sent.current) return;
    sent.current = key;
    setTold((before) => ({
      ...before,
      ...Object.fromEntries(fresh.map(([id, change]) => [id, change])),
    }));
    // If it is lost, the customer is told again the next time.
    see(items!.filter((item) => fresh.some(([id]) => id === item.productId))).catch(
      () => undefined,
    );
  }, [items]);
  return told;
}

function Line({ item, told }: { item: CartItem; told: string | undefined }) {
  const { t } = useTranslation();
  const { productId: id, product, quantity } = item;
  const name = product?.name ?? t("cart.unknown");
  // Stock is as it is now; what happened to a price stays while the page is open.
  const changes = [...new Set([...item.changes, ...(told ? [told] : [])])] as Change[];
  return (
    <li className="item" data-product={id}>
      <Picture of={product ?? { id, image: "" }} />
      <div className="what">
        <h2>{product ? <Link href={`/shop/${id}`}>{name}</Link> : name}</h2>
        {product && (
          <p className="muted">
            {t("cart.each")} <Money of={product.price} />
          </p>
        )}
        {changes.map((change) => (
          <p key={change} className={change === "price_down" ? "change good-news" : "change"}>
            {t(`shop.changes.${change}`, { count: product?.amountInStock ?? 0 })}
          </p>
        ))}
      </div>
      <div className="line">
        {product?.active ? (
          <Quantity
            of={quantity}
            name={name}
            most={mostPieces}
            onChange={(to) => void put(id, to, product)}
          />
        ) : (
          <span />
        )}
        {product?.active && (
          <strong>
            <Money
              of={{ amount: product.price.amount * quantity, currency: product.price.currency }}
            />
          </strong>
        )}
        <button
          className="icon"
          aria-label={t("cart.remove", { name })}
          title={t("cart.removeShort")}
          onClick={() => void put(id, () => 0)}
        >
          <Trash2 size={18} aria-hidden="true" />
        </button>
      </div>
    </li>
  );
}

type Change = "price_up" | "price_down" | "currency_changed" | "sold_out" | "too_few" | "retired";
