import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { Top } from "../../ui/Top";
import { ProductCard } from "./ProductCard";
import { WaitingGoods } from "../../ui/Skeletons";
import { Empty, Failed } from "../../ui/states";
import { useMe } from "../../lib/session";
import { currencies } from "./money";
import { useProducts, type Product, type Sort } from "./shop";

// A search looks at what was read. It reads on by itself up to so many products, each of which is a
// read of the database.
const most = 100;

const plain = (text: string) => text.normalize("NFKC").toLowerCase();

/**
 * Returns products by their currency, if they are in the order of prices and of several currencies:
 * amounts of two currencies have no order.
 */
function groups(products: Product[], sort: Sort): [currency: string, Product[]][] {
  const all = new Map<string, Product[]>();
  for (const product of products) {
    const { currency } = product.price;
    all.set(currency, [...(all.get(currency) ?? []), product]);
  }
  return sort === "price" && all.size > 1 ? [...all] : [["", products]];
}

/** What is for sale. */
export default function Shop() {
  const { t, i18n } = useTranslation();
  const names = (codes: string[]) => currencies(codes, i18n.language);
  const me = useMe();
  const [words, setWords] = useState("");
  const sort = new URLSearchParams(useSearch()).get("sort") === "price" ? "price" : "name";
  const query = useProducts(sort);
  const end = useRef<HTMLDivElement>(null);
  const { fetchNextPage, hasNextPage, isFetchNextPageError } = query;
  const products = query.data?.pages.flatMap((page) => page.items) ?? [];
  const found = products.filter(({ name }) => plain(name).includes(plain(words.trim())));
  const enough = words.trim() !== "" && products.length >= most;
  useEffect(() => {
    if (!end.current || !hasNextPage || isFetchNextPageError || enough) return;
    const watch = new IntersectionObserver(
      ([seen]) => seen?.isIntersecting && void fetchNextPage(),
      { rootMargin: "600px" },
    );
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [hasNextPage, query.data?.pages.length, isFetchNextPageError, fetchNextPage, enough, words]);
  return (
    <>
      <Top title={t("shop.title")} cart>
        {me && (
          <Link className="linklike" href="/orders">
            {t("orders.title")}
          </Link>
        )}
      </Top>
      <nav className="tabs" aria-label={t("shop.sort")}>
        <Link href="/shop" replace aria-current={sort === "name" ? "page" : undefined}>
          {t("shop.byName")}
        </Link>
        <Link href="/shop?sort=price" replace aria-current={sort === "price" ? "page" : undefined}>
          {t("shop.byPrice")}
        </Link>
      </nav>
      {query.isPending ? (
        <WaitingGoods />
      ) : query.isError && !query.data ? (
        <Failed failure={query.error} again={() => void query.refetch()} />
      ) : products.length === 0 ? (
        <Empty title={t("shop.empty")} hint={t("shop.emptyHint")} />
      ) : (
        <>
          <div className="wares" role="search" aria-label={t("shop.search")}>
            <input
              className="input"
              type="search"
              aria-label={t("shop.search")}
              placeholder={t("shop.search")}
              maxLength={100}
              value={words}
              onChange={(event) => setWords(event.target.value)}
            />
            {words.trim() && (
              <p className="muted" role="status">
                {found.length === 0 && `${t("shop.none")}. `}
                {t("shop.among", { count: products.length })}{" "}
                {enough && hasNextPage && (
                  <button
                    className="linklike"
                    disabled={query.isFetchingNextPage}
                    onClick={() => void fetchNextPage()}
                  >
                    {t("shop.further")}
                  </button>
                )}
              </p>
            )}
          </div>
          {groups(found, sort).map(([currency, some]) => (
            <section key={currency} aria-label={currency && names([currency])}>
              {currency && <h2 className="month">{names([currency])}</h2>}
              <ul className="goods" aria-label={t("shop.title")}>
                {some.map((product) => (
                  <li key={product.id}>
                    <ProductCard product={product} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <div ref={end} />
          {isFetchNextPageError && (
            <Failed failure={query.error} again={() => void fetchNextPage()} />
          )}
          {!query.hasNextPage && found.length > 0 && <p className="end">{t("state.end")}</p>}
        </>
      )}
    </>
  );
}
