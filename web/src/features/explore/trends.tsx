import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, type Schemas } from "../../lib/api";
import { exploreKeys } from "./keys";

// Every page has them: a page that is opened within this time, in milliseconds, asks for nothing.
export const shared = { staleTime: 60_000, meta: { shared: true } };

/** Returns what more accounts use than usual, tweets too. */
export function useTrends() {
  return useQuery({
    queryKey: exploreKeys.trends,
    staleTime: 60_000,
    queryFn: () => body(hibana.GET("/v1/trends", { params: { query: { format: "html" } } })),
  });
}

/** The tags of the hour. */
export function Trending({ tags }: { tags: Schemas["TagTrend"][] }) {
  const { t } = useTranslation();
  return (
    <section className="panel" aria-label={t("explore.trends")}>
      <h2>{t("explore.trends")}</h2>
      {tags.length === 0 && <p className="muted">{t("explore.calm")}</p>}
      <TrendList tags={tags} />
    </section>
  );
}

/** The first tags of the hour, each with how many people use it. */
export function TrendList({ tags }: { tags: Schemas["TagTrend"][] }) {
  const { t } = useTranslation();
  if (tags.length === 0) return null;
  return (
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
  );
}

/** Reads the tags that are used most. */
export function useTags(count: number) {
  return useQuery({
    queryKey: exploreKeys.topTags(count),
    ...shared,
    queryFn: () => body(hibana.GET("/v1/tags", { params: { query: { pageSize: count } } })),
  });
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
