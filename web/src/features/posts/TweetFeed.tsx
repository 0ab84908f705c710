import { useInfiniteQuery } from "@tanstack/react-query";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { useTranslation } from "../../lib/speech";
import { cut, type Tweet } from "../../lib/api";
import { useUndrawn } from "../../lib/drawn";
import { useListKeys } from "./shortcuts";
import { useOffPage } from "./deletions";
import { useSieve, type Page } from "./tweets";
import { Failed, Loading } from "../../ui/states";
import { TweetCard } from "./TweetCard";

interface Props {
  /** Names the list among what was read. */
  name: readonly unknown[];
  page: (pageToken: string | undefined) => Promise<Page>;
  label: string;
  /**
   * For how long what was read counts as fresh, in milliseconds: of a list that is kept up to date
   * otherwise.
   */
  fresh?: number;
  /** Shown above the first tweet. */
  first?: Tweet[];
  /** Says which tweets the list shows; all others stay read. */
  only?: (tweet: Tweet) => boolean;
  empty: ReactNode;
  /** Called when the first tweets are on the page, or there are none. */
  onShown?: () => void;
  /** Writes something above a tweet, such as its month. */
  heading?: (tweet: Tweet, before: Tweet | undefined) => string | undefined;
}

// Where each list was left, for whoever comes back to it.
const places = new Map<string, { offset: number; sizes: unknown }>();

/** A list of tweets that goes on while one reads. Only what is near the window is drawn. */
export function TweetFeed({
  name,
  page,
  label,
  fresh,
  first,
  only,
  empty,
  heading,
  onShown,
}: Props) {
  const { t } = useTranslation();
  useState(() => cut(name, fresh)); // before the list is read again
  const query = useInfiniteQuery({
    queryKey: name,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => page(pageParam),
    getNextPageParam: (last) => last.nextPageToken || undefined,
    ...(fresh === undefined ? {} : { staleTime: fresh }),
  });
  const offPage = useOffPage();
  const sieve = useSieve();
  const key = JSON.stringify(name);
  const tweets = useMemo(() => {
    const seen = new Set<string>();
    const all = [...(first ?? []), ...(query.data?.pages.flatMap((p) => p.items) ?? [])];
    return sieve(all, JSON.parse(key) as unknown[]).filter(
      (tweet) =>
        !seen.has(tweet.id) &&
        !offPage.has(tweet.id) &&
        (!only || only(tweet)) &&
        seen.add(tweet.id),
    );
  }, [query.data, first, offPage, sieve, key, only]);

  const feed = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const left = places.get(key);
  const rows = useWindowVirtualizer({
    count: tweets.length,
    estimateSize: () => 150,
    overscan: 4,
    gap: 0,
    scrollMargin: margin,
    scrollPaddingStart: 64,
    getItemKey: (index) => tweets[index]!.id,
    initialOffset: left?.offset ?? 0,
    initialMeasurementsCache: (left?.sizes as never) ?? [],
  });

  const none = tweets.length === 0;
  useLayoutEffect(() => {
    const top = feed.current;
    if (top) setMargin(top.getBoundingClientRect().top + scrollY);
  }, [query.isSuccess, none]);

  // A list that was left is shown where it was left.
  const comeBack = useEffectEvent(() => {
    if (left && left.offset > 0) requestAnimationFrame(() => scrollTo(0, left.offset));
  });
  const leave = useEffectEvent((of: string, offset: number) =>
    places.set(of, { offset, sizes: rows.measurementsCache }),
  );
  useEffect(() => {
    comeBack();
    let offset = scrollY;
    const note = () => (offset = scrollY);
    addEventListener("scroll", note, { passive: true });
    return () => {
      removeEventListener("scroll", note);
      leave(key, offset);
    };
  }, [key]);

  const items = rows.getVirtualItems();
  // Rows come one or two renderings after their tweets. A list that was kept empty may get some.
  const shown = items.length > 0 || (tweets.length === 0 && !query.isFetching);
  useUndrawn(!shown);
  const ready = shown && query.isSuccess;
  const sayShown = useEffectEvent(() => onShown?.());
  useEffect(() => {
    if (ready) sayShown();
  }, [ready]);

  const last = items.at(-1)?.index ?? 0;
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && last >= tweets.length - 4)
      void fetchNextPage();
  }, [last, tweets.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  const goTo = useEffectEvent((event: Event) => {
    const at = tweets.findIndex((tweet) => tweet.id === (event as CustomEvent<string>).detail);
    if (at < 0) return;
    event.preventDefault(); // it is here
    rows.scrollToIndex(at, { align: "start" });
  });
  useEffect(() => {
    const to = (event: Event) => goTo(event);
    addEventListener("hibana-tweet", to);
    return () => removeEventListener("hibana-tweet", to);
  }, []);

  useListKeys(feed, {
    tweets,
    scroll: (index) => rows.scrollToIndex(index, { align: "start" }),
  });

  if (query.isPending && tweets.length === 0) return <Loading />;
  if (query.isError && tweets.length === 0)
    return <Failed failure={query.error} again={() => void query.refetch()} />;
  if (tweets.length === 0) return <>{empty}</>;
  return (
    <>
      <div
        className="feed"
        ref={feed}
        role={heading ? "region" : "feed"}
        aria-label={label}
        aria-busy={query.isFetching}
        style={{ height: rows.getTotalSize() }}
      >
        {items.map((item) => {
          const tweet = tweets[item.index]!;
          const above = heading?.(tweet, tweets[item.index - 1]);
          return (
            <div
              className="row"
              key={tweet.id}
              ref={rows.measureElement}
              data-index={item.index}
              style={{ transform: `translateY(${item.start - margin}px)` }}
            >
              {above && <h2 className="month">{above}</h2>}
              <TweetCard tweet={tweet} />
            </div>
          );
        })}
      </div>
      {isFetchingNextPage && <Loading rows={2} />}
      {isFetchNextPageError && <Failed failure={query.error} again={() => void fetchNextPage()} />}
      {!hasNextPage && <p className="end">{t("state.end")}</p>}
    </>
  );
}
