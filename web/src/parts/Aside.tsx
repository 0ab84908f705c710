import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { body, hibana, home, type Schemas } from "../api";
import { SearchBox } from "./SearchBox";
import { useMe } from "../session";

const ToFollow = lazy(() => import("./Suggested"));

// Where the style has no room for it.
const narrow = matchMedia("(max-width: 68rem)");
const watch = (changed: () => void) => (
  narrow.addEventListener("change", changed),
  () => narrow.removeEventListener("change", changed)
);

/** What goes on beside the page. */
export default function Aside() {
  const { t } = useTranslation();
  const [path] = useLocation();
  const shown = useSyncExternalStore(watch, () => !narrow.matches);
  const me = useMe();
  if (!shown) return null; // and asks for nothing
  return (
    <aside className="aside" aria-label={t("explore.title")}>
      {path !== "/explore" && <SearchBox />}
      {me && path === "/" && (
        <Suspense>
          <ToFollow />
        </Suspense>
      )}
      <TrendingNow />
      <Popular />
      <p className="footnote">
        <Link href="/about">{t("nav.about")}</Link> · <a href={`${home}/docs`}>API</a>
      </p>
    </aside>
  );
}

// Every page has them: a page that is opened within this time, in milliseconds, asks for nothing.
const shared = { staleTime: 60_000, meta: { shared: true } };

/** Returns what more accounts use than usual, tweets too. */
export function useTrends() {
  return useQuery({
    queryKey: ["trends"],
    staleTime: 60_000,
    queryFn: () => body(hibana.GET("/v1/trends", { params: { query: { format: "html" } } })),
  });
}

/** The tags of the hour beside the page. */
function TrendingNow() {
  const { data } = useQuery({
    queryKey: ["trendingTags"],
    ...shared,
    queryFn: () => body(hibana.GET("/v1/trends", { params: { query: { only: "tags" } } })),
  });
  return data ? <Trending tags={data.tags} /> : null;
}

/** The tags of the hour, if there are any. */
export function Trending({ tags }: { tags: Schemas["TagTrend"][] }) {
  const { t } = useTranslation();
  if (tags.length === 0) return null;
  return (
    <section className="panel" aria-label={t("explore.trends")}>
      <h2>{t("explore.trends")}</h2>
      <ul className="taglist">
        {tags.slice(0, 6).map((tag) => (
          <li key={tag.name}>
            <Link href={`/tags/${encodeURIComponent(tag.name)}`}>
              <strong>#{tag.content}</strong>
              <span className="muted">{t("explore.people_count", { count: tag.useCount })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Reads the tags that are used most. */
export function useTags(count: number) {
  return useQuery({
    queryKey: ["tags", "top", count],
    ...shared,
    queryFn: () => body(hibana.GET("/v1/tags", { params: { query: { pageSize: count } } })),
  });
}

/** The tags that are used most, if there are any. */
function Popular() {
  const { t } = useTranslation();
  const { data } = useTags(8);
  if (!data || data.items.length === 0) return null;
  return (
    <section className="panel" aria-label={t("explore.popularTags")}>
      <h2>{t("explore.popularTags")}</h2>
      <TagList tags={data.items} />
    </section>
  );
}

export function TagList({ tags }: { tags: Schemas["Tag"][] }) {
  const { t } = useTranslation();
  return (
    <ul className="taglist">
      {tags.map((tag) => (
        <li key={tag.name}>
          <Link href={`/tags/${encodeURIComponent(tag.name)}`}>
            <strong>#{tag.content}</strong>
            <span className="muted">{t("tag.tweets", { count: tag.tweetCount })}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
