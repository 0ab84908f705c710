import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { body, hibana } from "../api";
import { SearchBox } from "./SearchBox";

/** What goes on beside the page. */
export function Aside() {
  const { t } = useTranslation();
  const [path] = useLocation();
  return (
    <aside className="aside" aria-label={t("explore.title")}>
      {path !== "/explore" && <SearchBox />}
      <section className="panel" aria-label={t("explore.popularTags")}><h2>{t("explore.popularTags")}</h2><Tags count={8} /></section>
      <p className="footnote">Hibana 火花 · <a href="/docs">API</a></p>
    </aside>
  );
}

/** Tags that are used most. */
export function Tags({ count }: { count: number }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ["tags", "top", count], staleTime: 60_000,
    queryFn: () => body(hibana.GET("/v1/tags", { params: { query: { pageSize: count } } })),
  });
  return (
    <ul className="taglist">
      {data?.items.map((tag) => (
        <li key={tag.name}><Link href={`/tags/${encodeURIComponent(tag.name)}`}><strong>#{tag.content}</strong><span className="muted">{t("tag.tweets", { count: tag.tweetCount })}</span></Link></li>
      ))}
    </ul>
  );
}
