import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { body, hibana, queries } from "../api";
import { tell } from "../failures";
import { useKeys } from "../keyboard";
import { followHome } from "../live";
import { Top } from "../parts/Frame";
import { Spark } from "../parts/Spark";
import { Empty } from "../parts/states";
import { TweetFeed } from "../parts/TweetFeed";
import { useMe } from "../session";
import { change, type Page, type Pages } from "../tweets";

const page = (pageToken: string | undefined): Promise<Page> =>
  body(hibana.GET("/v1/timeline", { params: { query: { pageToken, format: "html" } } }));

/** The home timeline, which tells by itself of what is new. */
export default function Home() {
  const { t } = useTranslation();
  const { count, load } = useArrivals();
  return (
    <>
      <Top title={t("home.title")} />
      <div role="status" className="pill">
        {count > 0 && <button onClick={() => void load()}><Spark filled />{t("home.new", { count })}</button>}
      </div>
      <TweetFeed name={["home"]} page={page} label={t("home.title")}
        empty={<Empty title={t("home.empty")} hint={t("home.emptyHint")}><Link className="button main" href="/explore">{t("home.find")}</Link></Empty>} />
    </>
  );
}

/** Listens to the reader's month. What came is loaded when the reader asks for it, or at once at the top of the page. */
function useArrivals() {
  const uid = useMe()?.id;
  const [waiting, setWaiting] = useState<Set<string>>(new Set());
  const loading = useRef(false);

  const load = async () => {
    if (loading.current) return;
    loading.current = true;
    try {
      const top = await page(undefined);
      queries.setQueryData<Pages>(["home"], (pages) => join(pages, top));
      setWaiting(new Set());
      scrollTo({ top: 0, behavior: "smooth" });
    } catch (failure) {
      tell(failure);
    } finally {
      loading.current = false;
    }
  };
  useKeys({ ".": () => void load() });

  useEffect(() => {
    if (!uid) return;
    return followHome(uid, ({ added, removed, first }) => {
      const shown = new Set(queries.getQueryData<Pages>(["home"])?.pages.flatMap((p) => p.items.map((tweet) => tweet.id)));
      for (const id of removed) change(id, () => null);
      // What was there before this page was loaded is no news, unless it is newer than all that is shown.
      const newest = [...shown].reduce((a, b) => (later(a, b) ? a : b), "");
      const news = [...added.keys()].filter((id) => !shown.has(id) && (!first || (newest !== "" && later(id, newest))));
      if (news.length > 0) setWaiting((before) => new Set([...before, ...news]));
      if (removed.length > 0) setWaiting((before) => new Set([...before].filter((id) => !removed.includes(id))));
    });
  }, [uid]);

  // Somebody who looks at the top sees it come.
  useEffect(() => {
    if (waiting.size > 0 && scrollY < 80 && document.visibilityState === "visible") void load();
  }, [waiting]);
  return { count: waiting.size, load };
}

// A tweet id begins with two digits of its author; the rest is its time.
const later = (a: string, b: string) => a.slice(2) > b.slice(2);

// join puts a fresh first page before what was loaded. Where there may be a gap, the rest is read again on scrolling.
function join(pages: Pages | undefined, top: Page): Pages {
  const old = pages?.pages.flatMap((p) => p.items) ?? [];
  const fresh = new Set(top.items.map((tweet) => tweet.id));
  const touches = old.some((tweet) => fresh.has(tweet.id));
  if (!pages || !touches) return { pages: [top], pageParams: [undefined] };
  return {
    pages: [{ ...pages.pages[0]!, items: [...top.items, ...pages.pages[0]!.items.filter((tweet) => !fresh.has(tweet.id))] }, ...pages.pages.slice(1)],
    pageParams: pages.pageParams,
  };
}
