import { ShoppingBag } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { money } from "./money";
import { widths } from "../media/addresses";
import { average } from "../media/media";
import { add, type Product } from "./shop";
import { Fireworks } from "../../ui/Spark";

/**
 * The picture of a product, or a firework of its own. Beside the name it needs no words; large, it says
 * what it shows.
 */
export function Picture({
  of,
  large = false,
}: {
  of: Pick<Product, "id" | "image" | "picture"> | undefined;
  large?: boolean;
}) {
  const [broken, setBroken] = useState("");
  const picture = of?.picture;
  const alt = (large && picture?.alt) || "";
  return (
    <span
      className={large ? "ware large" : "ware"}
      aria-hidden={alt === "" || undefined}
      style={{ backgroundColor: average(picture?.blurhash) }}
    >
      {of?.image && of.image !== broken ? (
        <img
          src={of.image}
          {...(picture && {
            srcSet: widths(picture),
            sizes: large ? "(max-width: 36rem) 100vw, 38rem" : "12rem",
          })}
          alt={alt}
          loading={large ? "eager" : "lazy"}
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBroken(of.image)}
        />
      ) : (
        <Fireworks seed={of?.id ?? ""} count={1} square />
      )}
    </span>
  );
}

/** A price as people write it. */
export function Money({ of }: { of: Product["price"] }) {
  return <span className="money">{money(of, useTranslation().i18n.language)}</span>;
}

const few = 10;

/** How many there are, where that matters. */
export function Stock({ of }: { of: Product }) {
  const { t } = useTranslation();
  if (!of.active) return <span className="stock out">{t("shop.changes.retired")}</span>;
  if (of.amountInStock <= 0) return <span className="stock out">{t("shop.changes.sold_out")}</span>;
  if (of.amountInStock <= few)
    return <span className="stock few">{t("shop.left", { count: of.amountInStock })}</span>;
  return <span className="stock">{t("shop.inStock")}</span>;
}

/** A product among others. */
export function ProductCard({ product }: { product: Product }) {
  const { t } = useTranslation();
  const some = product.active && product.amountInStock > 0;
  return (
    <article className="good" data-product={product.id} data-none={some ? undefined : true}>
      <Picture of={product} />
      <h2>
        <Link href={`/shop/${product.id}`}>{product.name}</Link>
      </h2>
      <Stock of={product} />
      <div className="line">
        <Money of={product.price} />
        {some && (
          <button
            className="icon"
            aria-label={t("shop.add", { name: product.name })}
            title={t("shop.addShort")}
            onClick={() => void add(product, 1)}
          >
            <ShoppingBag size={20} aria-hidden="true" />
          </button>
        )}
      </div>
    </article>
  );
}
