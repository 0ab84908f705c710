import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { body, hibana, home, type Schemas } from "../api";
import { SearchBox } from "./SearchBox";

/** What goes on beside the page. */
export default function Aside() {
  const { t } = useTranslation();
  const [path] = useLocation();
  return (
    <aside className="aside" aria-label={t("explore.title")}>
      {path !== "/explore" && <SearchBox />}
      <Trending />
      <Popular />
      <p className="footnote">Hibana 火花 · <a href={`${home}/docs`}>API</a></p>
    </aside>
  );
}

/** Returns what more accounts use than usual. */
export function useTrends() {
  return useQuery({ queryKey: ["trends"], staleTime: 60_000, queryFn: () => body(hibana.GET("/v1/trends", { params: { query: { format: "html" } } })) });
}

/** The tags of the hour, if there are any. */
export function Trending() {
  const { t } = useTranslation();
  const { data } = useTrends();
  if (!data || data.tags.length === 0) return null;
  return (
    <section className="panel" aria-label={t("explore.trends")}>
      <h2>{t("explore.trends")}</h2>
      <ul className="taglist">
        {data.tags.slice(0, 6).map((tag) => (
          <li key={tag.name}><Link href={`/tags/${encodeURIComponent(tag.name)}`}><strong>#{tag.content}</strong><span className="muted">{t("explore.people_count", { count: tag.useCount })}</span></Link></li>
        ))}
      </ul>
    </section>
  );
}

/** Reads the tags that are used most. */
export function useTags(count: number) {
  return useQuery({
    queryKey: ["tags", "top", count], staleTime: 60_000,
    queryFn: () => body(hibana.GET("/v1/tags", { params: { query: { pageSize: count } } })),
  });
}

/** The tags that are used most, if there are any. */
function Popular() {
  const { t } = useTranslation();
  const { data } = useTags(8);
  if (!data || data.items.length === 0) return null;
  return <section className="panel" aria-label={t("explore.popularTags")}><h2>{t("explore.popularTags")}</h2><TagList tags={data.items} /></section>;
}

export function TagList({ tags }: { tags: Schemas["Tag"][] }) {
  const { t } = useTranslation();
  return (
    <ul className="taglist">
      {tags.map((tag) => (
        <li key={tag.name}><Link href={`/tags/${encodeURIComponent(tag.name)}`}><strong>#{tag.content}</strong><span className="muted">{t("tag.tweets", { count: tag.tweetCount })}</span></Link></li>
      ))}
    </ul>
  );
}
