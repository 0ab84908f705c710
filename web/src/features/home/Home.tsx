import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { SlidersHorizontal } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { hibana, HibanaError, newer, queries, type Tweet } from "../../lib/api";
import { late } from "../../lib/drawn";
import { tell } from "../../lib/failures";
import { reader } from "../../lib/firebase";
import { useKeys } from "../../lib/keyboard";
import { onReturn } from "../../lib/network";
import { useSession } from "../../lib/session";
import { Top } from "../../ui/Top";
import { Spark } from "../../ui/Spark";
import { Empty } from "../../ui/states";
import { TweetFeed } from "../posts/TweetFeed";
import { BarPlace } from "./bar";
import { page, top, wanted } from "./first";
import { changeHome, sift, type Page, type Pages } from "../posts/tweets";
import { postKeys } from "../posts/keys";
import { shown, shows, useShows } from "./shows";

const ToFollow = lazy(() => import("../people/Suggested"));
const InPlace = late(() => import("../posts/InPlace"));
const HomeTop = late(top, wanted);
const HomeMenu = lazy(() => import("./HomeMenu"));

const home = postKeys.home;
// Somebody who comes back to the page gets what came since; after this time all of it is read
// again, with its counts.
const fresh = 5 * 60_000;

/** The home timeline, which tells by itself of what is new. */
export default function Home() {
  const { t } = useTranslation();
  // What comes is compared with the first page.
  const [begun, setBegun] = useState(false);
  const { count, load } = useArrivals(begun);
  const [how, { uid }] = [useShows(), useSession()];
  const only = useCallback((tweet: Tweet) => shown(tweet, how, uid), [how, uid]);
  return (
    <>
      <Top title={t("home.title")}>
        <Shows />
      </Top>
      <div role="status" className="pill">
        {count > 0 && (
          <button onClick={() => void load()}>
            <Spark filled />
            {t("home.new", { count })}
          </button>
        )}
      </div>
      <Suspense fallback={<div className="inplace" />}>
        <InPlace />
      </Suspense>
      <Suspense fallback={<BarPlace />}>
        <HomeTop name={home} page={page} />
      </Suspense>
      <TweetFeed
        name={home}
        page={page}
        fresh={fresh}
        only={only}
        label={t("home.title")}
        onShown={() => setBegun(true)}
        empty={
          <>
            <Empty title={t("home.empty")} hint={t("home.emptyHint")}>
              <Link className="button main" href="/explore">
                {t("home.find")}
              </Link>
            </Empty>
            <Suspense>
              <ToFollow title="first" />
            </Suspense>
          </>
        }
      />
    </>
  );
}

// The choice of what home shows: its scripts come with the first click.
function Shows() {
  const { t } = useTranslation();
  const [menu, setMenu] = useState(false);
  const button = (
    <button
      className="icon"
      aria-label={t("home.shows")}
      aria-haspopup="menu"
      onClick={() => setMenu(true)}
    >
      <SlidersHorizontal size={20} aria-hidden="true" />
    </button>
  );
  return menu ? (
    <Suspense fallback={button}>
      <HomeMenu />
    </Suspense>
  ) : (
    button
  );
}

// How long the page waits between two questions for what came: the shorter time while the reader does something or
// something comes, and up to the longer time else.
const soonest = 10_000;
const latest = 60_000;
// What is asked for by the newest place alone lacks what came late at an older one. So all of the
// first page is read this often.
const whole = 5 * 60_000;

const inputs = ["scroll", "pointerdown", "keydown"] as const;

/**
 * Asks what came while the page is visible. What came is loaded when the reader asks for it, or at
 * once at the top of the page.
 */
function useArrivals(begun: boolean) {
  const [waiting, setWaiting] = useState<Set<string>>(new Set());
  const now = useRef(waiting);
  now.current = waiting;
  const loading = useRef(false);
  const asked = useRef(0);
  const pause = useRef(soonest);
  const read = useRef(0); // when all of the first page was read
  const heard = useRef(""); // the newest place of the last answer, for a reader who is further down
  const wish = useRef(false); // what came is to be loaded once the question is answered

  const ask = async (
    wanted: Set<string>,
    after: string | undefined,
    show: (news: News) => void | Promise<void>,
  ) => {
    loading.current = true;
    asked.current = Date.now(); // also if it fails: the next question waits, longer each time
    pause.current = Math.min(2 * pause.current, latest);
    try {
      const who = await reader();
      const news = await since(wanted, after);
      if (news.whole) read.current = Date.now();
      const known = new Set([...now.current, ...tweets().map((tweet) => tweet.id)]);
      if (news.items.some((tweet) => !known.has(tweet.id))) pause.current = soonest;
      if ((await reader()) === who) await show(news); // else it is another person's timeline
    } finally {
      loading.current = false;
    }
  };
  const put = async (news: News, wanted: Set<string>) => {
    const known = new Set([...wanted, ...news.items.map((tweet) => tweet.id)]);
    await join(news);
    setWaiting((before) => new Set([...before].filter((id) => !known.has(id))));
  };
  const load = async () => {
    if (!pages()) return;
    if (loading.current) {
      wish.current = true;
      return;
    }
    const wanted = new Set(now.current); // what comes while the page is read is for the next time
    try {
      await ask(wanted, newest(), (news) => put(news, wanted));
      await toTop();
      // The pill, which had the focus perhaps, is gone: what came gets it.
      if (document.activeElement === document.body) focusFirst();
    } catch (failure) {
      tell(failure);
    } finally {
      wish.current = false;
    }
  };
  useKeys({ ".": () => void load() });
  const putNow = useEffectEvent((news: News) => put(news, new Set()));
  const loadNow = useEffectEvent(() => void load());

  useEffect(() => {
    if (!begun) return;
    asked.current = read.current = queries.getQueryState(home)?.dataUpdatedAt ?? 0;
    const look = () => {
      if (
        loading.current ||
        Date.now() - asked.current < pause.current ||
        queries.isFetching({ queryKey: home }) > 0
      )
        return;
      const top = atTop();
      const after =
        Date.now() - read.current > whole ? "" : top ? newest() : heard.current || newest();
      ask(new Set(), after, async (news) => {
        const uid = await reader();
        heard.current = news.newest || heard.current;
        if (top && atTop()) return putNow(news);
        const there = new Set(tweets().map((tweet) => tweet.id));
        setWaiting(
          (before) =>
            new Set([
              ...before,
              ...news.items
                .filter((tweet) => !there.has(tweet.id) && shown(tweet, shows(), uid))
                .map((tweet) => tweet.id),
            ]),
        );
      })
        .catch(() => undefined) // nobody asked for it
        .finally(() => {
          if (wish.current) loadNow();
          wish.current = false;
        });
    };
    look();
    const timer = setInterval(() => document.visibilityState === "visible" && look(), 1000);
    const hurry = () => void (pause.current = soonest);
    for (const input of inputs) addEventListener(input, hurry, { passive: true });
    const stop = onReturn(() => {
      hurry();
      look();
    });
    return () => {
      clearInterval(timer);
      for (const input of inputs) removeEventListener(input, hurry);
      stop();
    };
  }, [begun]);

  // Somebody who looks at the top sees it come.
  useEffect(() => {
    if (waiting.size > 0 && atTop() && document.visibilityState === "visible") loadNow();
  }, [waiting]);
  return { count: waiting.size, load };
}

const atTop = () => scrollY < 80;

// toTop brings the window to the top of the page, without a movement, and keeps it there until the
// list has measured what came: it corrects the offset for each row that is not as high as it
// thought.
async function toTop(): Promise<void> {
  for (let still = 0, n = 0; still < 5 && n < 60; n++) {
    still = scrollY === 0 ? still + 1 : 0;
    if (scrollY !== 0) scrollTo({ top: 0, behavior: "instant" });
    await new Promise((drawn) =>
      document.hidden ? setTimeout(drawn) : requestAnimationFrame(drawn),
    );
  }
}

function focusFirst(): void {
  const first = document.querySelector<HTMLElement>("[role=feed] article[data-tweet]");
  if (!first) return;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
}
const pages = () => queries.getQueryData<Pages>(home);
const tweets = () => pages()?.pages.flatMap((p) => p.items) ?? [];
const newest = () => pages()?.pages[0]?.newest;

/** What came. If it does not touch what was loaded before, there is a gap between the two. */
interface News extends Page {
  touches: boolean;
  whole: boolean; // all of the first page
}

// since reads what came after a place, by no read of the database if nothing did, or the whole
// first page if there is no place. A wanted tweet may be at an older place: the whole page has it.
async function since(wanted: Set<string>, after: string | undefined): Promise<News> {
  if (after) {
    try {
      const news = await newer(hibana, after, { format: "html" });
      const items = sift(news.items, home);
      const there = new Set([...tweets(), ...news.items].map((tweet) => tweet.id));
      if ([...wanted].every((id) => there.has(id)))
        return { ...news, items, touches: news.nextPageToken === "", whole: false };
    } catch (failure) {
      if (!(failure instanceof HibanaError && failure.code === "invalid_page_token")) throw failure; // else kept since the API had other keys
    }
  }
  const top = await page(undefined);
  const fresh = new Set(top.items.map((tweet) => tweet.id));
  top.items = sift(top.items, home);
  return { ...top, touches: tweets().some((tweet) => fresh.has(tweet.id)), whole: true };
}

// join puts what came before what was loaded. Where there is a gap, the rest is read again on
// scrolling.
function join({ touches, ...top }: News): Promise<void> {
  const fresh = new Set(top.items.map((tweet) => tweet.id));
  return changeHome(({ pages, pageParams }) => {
    const [first, ...rest] = pages;
    if (!first || !touches) return { pages: [top], pageParams: [undefined] };
    return {
      pages: [
        {
          ...first,
          newest: top.newest ?? first.newest,
          items: [...top.items, ...first.items.filter((tweet) => !fresh.has(tweet.id))],
        },
        ...rest,
      ],
      pageParams,
    };
  });
}
