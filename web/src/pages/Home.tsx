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
  // What comes is compared with the first page.
  const [begun, setBegun] = useState(false);
  const { count, load } = useArrivals(begun);
  return (
    <>
      <Top title={t("home.title")} />
      <div role="status" className="pill">
        {count > 0 && <button onClick={() => void load()}><Spark filled />{t("home.new", { count })}</button>}
      </div>
      <TweetFeed name={["home"]} page={page} label={t("home.title")} onShown={() => setBegun(true)}
        empty={<Empty title={t("home.empty")} hint={t("home.emptyHint")}><Link className="button main" href="/explore">{t("home.find")}</Link></Empty>} />
    </>
  );
}

/** Listens to the reader's month. What came is loaded when the reader asks for it, or at once at the top of the page. */
function useArrivals(begun: boolean) {
  const uid = useMe()?.id;
  const [waiting, setWaiting] = useState<Set<string>>(new Set());
  const now = useRef(waiting);
  now.current = waiting;
  const loading = useRef(false);

  const load = async () => {
    if (loading.current) return;
    loading.current = true;
    const asked = new Set(now.current); // what comes while the page is read is for the next time
    try {
      const top = await page(undefined);
      queries.setQueryData<Pages>(["home"], (pages) => join(pages, top));
      setWaiting((before) => new Set([...before].filter((id) => !asked.has(id))));
      scrollTo({ top: 0, behavior: "smooth" });
    } catch (failure) {
      tell(failure);
    } finally {
      loading.current = false;
    }
  };
  useKeys({ ".": () => void load() });

  useEffect(() => {
    if (!uid || !begun) return;
    return followHome(uid, ({ added, removed, first }) => {
      const tweets = queries.getQueryData<Pages>(["home"])?.pages.flatMap((p) => p.items) ?? [];
      const shown = new Set(tweets.map((tweet) => tweet.id));
      for (const id of removed) change(id, () => null);
      // What was there before the listener is no news, unless it is newer than all that is shown.
      const newest = Math.max(0, ...tweets.map((tweet) => Date.parse(tweet.sharedBy?.sharedAt ?? tweet.createdAt)));
      const news = [...added].filter(([id, { at }]) => !shown.has(id) && (!first || at > newest)).map(([id]) => id);
      if (news.length > 0) setWaiting((before) => new Set([...before, ...news]));
      if (removed.length > 0) setWaiting((before) => new Set([...before].filter((id) => !removed.includes(id))));
    });
  }, [uid, begun]);

  // Somebody who looks at the top sees it come.
  useEffect(() => {
    if (waiting.size > 0 && scrollY < 80 && document.visibilityState === "visible") void load();
  }, [waiting]);
  return { count: waiting.size, load };
}

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
