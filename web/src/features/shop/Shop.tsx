import { useEffect, useRef } from "react";
import { useTranslation } from "../../lib/speech";
import { Link, useSearch } from "wouter";
import { Top } from "../../ui/Top";
import { ProductCard } from "./ProductCard";
import { Empty, Failed, Loading } from "../../ui/states";
import { useMe } from "../../lib/session";
import { useProducts } from "./shop";

/** What is for sale. */
export default function Shop() {
  const { t } = useTranslation();
  const me = useMe();
  const sort = new URLSearchParams(useSearch()).get("sort") === "price" ? "price" : "name";
  const query = useProducts(sort);
  const end = useRef<HTMLDivElement>(null);
  const { fetchNextPage, hasNextPage, isFetchNextPageError } = query;
  useEffect(() => {
    if (!end.current || !hasNextPage || isFetchNextPageError) return;
    const watch = new IntersectionObserver(
      ([seen]) => seen?.isIntersecting && void fetchNextPage(),
      { rootMargin: "600px" },
    );
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [hasNextPage, query.data?.pages.length, isFetchNextPageError, fetchNextPage]);
  const products = query.data?.pages.flatMap((page) => page.items) ?? [];
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
        <Loading />
      ) : query.isError && !query.data ? (
        <Failed failure={query.error} again={() => void query.refetch()} />
      ) : products.length === 0 ? (
        <Empty title={t("shop.empty")} hint={t("shop.emptyHint")} />
      ) : (
        <>
          <ul className="goods" aria-label={t("shop.title")}>
            {products.map((product) => (
              <li key={product.id}>
                <ProductCard product={product} />
              </li>
            ))}
          </ul>
          <div ref={end} />
          {isFetchNextPageError && (
            <Failed failure={query.error} again={() => void fetchNextPage()} />
          )}
          {!query.hasNextPage && <p className="end">{t("state.end")}</p>}
        </>
      )}
    </>
  );
}
