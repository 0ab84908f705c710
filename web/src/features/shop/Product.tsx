import { ShoppingBag } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { useCart } from "./cart";
import { currencies } from "./money";
import { Top } from "../../ui/Top";
import { Money, Picture, Stock } from "./ProductCard";
import { Quantity } from "./Quantity";
import { WaitingProduct } from "../../ui/Skeletons";
import { Failed } from "../../ui/states";
import { useRole } from "../../lib/role";
import { add, mostPieces, useProduct } from "./shop";

/** A product, with all that is said of it. */
export default function Product({ id }: { id: string }) {
  const { t, i18n } = useTranslation();
  const [quantity, setQuantity] = useState(1);
  const query = useProduct(id);
  const role = useRole().data;
  const cart = useCart().data;
  const has = cart?.items.find((item) => item.productId === id)?.quantity ?? 0;
  const product = query.data;
  const others = (cart?.totals ?? [])
    .map(({ currency }) => currency)
    .filter((currency) => currency !== product?.price.currency);
  const some = product?.active && product.amountInStock > 0;
  const most = Math.min(product?.amountInStock ?? 1, mostPieces);
  return (
    <>
      <Top title={t("shop.product")} called={product?.name} cart />
      {query.isPending ? (
        <WaitingProduct />
      ) : !product ? (
        <Failed failure={query.error} again={() => void query.refetch()} />
      ) : (
        <article className="product">
          <Picture of={product} large />
          <div className="about">
            <h2>{product.name}</h2>
            <div className="line">
              <Money of={product.price} />
              <Stock of={product} />
            </div>
            {some && (
              <div className="buy">
                <Quantity
                  of={Math.min(quantity, most)}
                  name={product.name}
                  most={most}
                  onChange={setQuantity}
                />
                <button
                  className="button main"
                  onClick={() => void add(product, Math.min(quantity, most))}
                >
                  <ShoppingBag size={18} aria-hidden="true" />
                  {t("shop.addShort")}
                </button>
              </div>
            )}
            {some && has === 0 && others.length > 0 && (
              <p className="muted" role="note">
                {t("shop.willMix", { currencies: currencies(others, i18n.language) })}{" "}
                <Link className="linklike" href="/cart">
                  {t("cart.title")}
                </Link>
              </p>
            )}
            {has > 0 && (
              <p className="muted">
                {t("shop.has", { count: has })}{" "}
                <Link className="linklike" href="/cart">
                  {t("cart.title")}
                </Link>
              </p>
            )}
            {product.description && <p className="plain lines">{product.description}</p>}
            {role?.sells && (
              <p>
                <Link className="linklike" href={`/admin/products/${id}`}>
                  {t("nav.admin")}
                </Link>
              </p>
            )}
            <p>
              <Link className="linklike" href="/shop">
                {t("shop.all")}
              </Link>
            </p>
          </div>
        </article>
      )}
    </>
  );
}
