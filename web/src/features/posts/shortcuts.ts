import { useRef, type RefObject } from "react";
import { useLocation } from "wouter";
import { tweetPath } from "../../lib/paths";
import type { Tweet } from "../../lib/api";
import { useKeys } from "../../lib/keyboard";
import { show } from "../../lib/overlays";
import { useSession } from "../../lib/session";
import { react } from "./tweets";

const entries = "article[data-tweet], article[data-told]";
const nameOf = ({ dataset }: HTMLElement) => dataset["tweet"] ?? dataset["told"] ?? "";
const drawn = new WeakMap<Element, Tweet>();

/** Says which tweet an article shows: a ref of the article. */
export const draws = (tweet: Tweet) => (article: HTMLElement | null) => {
  if (article) drawn.set(article, tweet);
};

/** A list of which only a part is drawn. */
interface Long {
  tweets: Tweet[];
  /** Brings a tweet of the list below the bar. */
  scroll: (index: number) => void;
}

/**
 * Lets keys choose one of the tweets or notifications within an element, and act on it. The chosen
 * one stands at the top of the window and has the focus.
 */
export function useListKeys(within: RefObject<HTMLElement | null>, long?: Long) {
  const [, go] = useLocation();
  const { guest } = useSession();
  const chosen = useRef("");
  const articles = () => [...(within.current?.querySelectorAll<HTMLElement>(entries) ?? [])];
  const names = () => long?.tweets.map(({ id }) => id) ?? articles().map(nameOf);
  const focused = () => {
    const article = document.activeElement?.closest<HTMLElement>(entries);
    return article && within.current?.contains(article) ? article : undefined;
  };
  const of = (name: string) => articles().find((article) => nameOf(article) === name);
  const tweetOf = (article: HTMLElement) =>
    long?.tweets.find(({ id }) => id === nameOf(article)) ?? drawn.get(article);
  // The one with the focus, and else the one that was chosen.
  const index = () => {
    const all = names();
    const at = all.indexOf(nameOf(focused() ?? document.body));
    return at < 0 ? all.indexOf(chosen.current) : at;
  };
  const choose = (to: number) => {
    const all = names();
    const at = Math.max(0, Math.min(to, all.length - 1));
    const name = all[at];
    if (name === undefined) return;
    chosen.current = name;
    if (long) long.scroll(at);
    else of(name)?.scrollIntoView({ block: "start", behavior: "instant" });
    focus(() => of(name));
  };
  // Nobody has chosen: the first that stands below the bar.
  const begin = () => {
    const [top] = articles()
      .map((article) => ({ article, at: article.getBoundingClientRect().top }))
      .filter(({ at }) => at >= 40)
      .sort((a, b) => a.at - b.at);
    return top ? names().indexOf(nameOf(top.article)) : 0;
  };
  // Keys act on what has the focus, and else on what is chosen while it is in the window.
  const act = (how: (article: HTMLElement) => void) => () => {
    const article = focused() ?? of(chosen.current);
    const box = article?.getBoundingClientRect();
    if (article && box && box.bottom > 0 && box.top < innerHeight) how(article);
  };
  const may = (how: (tweet: Tweet) => void) =>
    act((article) => {
      const tweet = tweetOf(article);
      if (!tweet) return;
      if (guest) go("/sign-up");
      else how(tweet);
    });
  const open = (article: HTMLElement) => {
    const tweet = tweetOf(article);
    if (!tweet) article.click();
    else if (tweetPath(tweet) !== location.pathname) go(tweetPath(tweet));
  };
  const like = may((tweet) => void react(tweet, "like"));
  useKeys({
    j: () => choose(index() < 0 ? begin() : index() + 1),
    k: () => choose(index() < 0 ? begin() : index() - 1),
    f: like,
    l: like,
    s: may((tweet) => void react(tweet, "share")),
    b: may((tweet) => void react(tweet, "bookmark")),
    r: may((tweet) => show({ kind: "compose", replyTo: tweet })),
    Enter: (event) => {
      const target = event.target as HTMLElement;
      if (target === focused()) open(target);
      else target.click?.();
    },
    o: act(open),
  });
}

// focus gives the focus to an article, as soon as it is drawn.
function focus(find: () => HTMLElement | undefined, attempts = 20) {
  const article = find();
  if (article) {
    article.tabIndex = -1;
    document.querySelectorAll("article.chosen").forEach((one) => one.classList.remove("chosen"));
    article.classList.add("chosen");
    article.focus({ preventScroll: true });
  } else if (attempts > 0) requestAnimationFrame(() => focus(find, attempts - 1));
}
