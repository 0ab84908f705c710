import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { useTranslation } from "../lib/speech";
import { Link, useLocation } from "wouter";
import { SearchBox } from "../features/explore/SearchBox";
import { shared, TagList, Trending, useTags } from "../features/explore/trends";
import { body, hibana, home } from "../lib/api";
import { useMe } from "../lib/session";
import { exploreKeys } from "../features/explore/keys";

const ToFollow = lazy(() => import("../features/people/Suggested"));

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
      {path !== "/explore" && <Now />}
      {me && path === "/" && (
        <Suspense>
          <ToFollow />
        </Suspense>
      )}
      <p className="footnote">
        <Link href="/about">{t("nav.about")}</Link> · <a href={`${home}/docs`}>API</a>
      </p>
    </aside>
  );
}

/** The tags of the hour beside the page; in a quiet hour those that are used most. */
function Now() {
  const { data } = useQuery({
    queryKey: exploreKeys.trendingTags,
    ...shared,
    queryFn: () => body(hibana.GET("/v1/trends", { params: { query: { only: "tags" } } })),
  });
  if (!data) return null;
  return data.tags.length > 0 ? <Trending tags={data.tags} /> : <Popular />;
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
