import "../../i18n/small";
import "../../styles/small.css";
import { useInfiniteQuery, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { Megaphone, X } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { BarPlace, noteBar } from "./bar";
import { newer, useMarker, useMarks } from "./markers";
import { dismiss, useAnnouncements } from "../instance/announced";
import type { Page, Pages } from "../posts/tweets";

export { readMarker } from "./markers";

interface Props {
  name: readonly unknown[];
  page: (pageToken: string | undefined) => Promise<Page>;
}

/** What stands above the home timeline: an announcement, and the way to where the reader was. */
export default function HomeTop({ name, page }: Props) {
  const query = useInfiniteQuery({
    queryKey: name,
    enabled: false, // the list itself reads
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => page(pageParam),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  return (
    <>
      {query.isPending ? <BarPlace /> : <Announcement />}
      <Place query={query} />
    </>
  );
}

/**
 * The newest announcement that the reader has not dismissed. It comes with the tweets: before them
 * it would move what stands in their place.
 */
function Announcement() {
  const { t } = useTranslation("small");
  const { data, isPending } = useAnnouncements();
  const one = data?.find((a) => !a.dismissed);
  const bar = useRef<HTMLElement>(null);
  const known = data !== undefined;
  useLayoutEffect(() => {
    if (known) noteBar(bar.current?.offsetHeight ?? 0);
  }, [known, one?.id]);
  if (!one) return isPending ? <BarPlace /> : null;
  return (
    <section ref={bar} className="announcement" aria-label={t("announcements.title")}>
      <Megaphone size={18} aria-hidden="true" />
      <strong dir="auto">{one.title}</strong>
      <Link
        href="/settings/announcements"
        className="button small"
        aria-label={`${t("announcements.read")}: ${one.title}`}
      >
        {t("announcements.read")}
      </Link>
      <button
        className="icon"
        aria-label={`${t("announcements.dismiss")}: ${one.title}`}
        onClick={() => void dismiss(one.id)}
      >
        <X size={18} aria-hidden="true" />
      </button>
    </section>
  );
}

// How many pages are read at most to come to where the reader was.
const most = 10;
let went = false; // in this session

function Place({ query }: { query: UseInfiniteQueryResult<Pages> }) {
  const { t } = useTranslation("small");
  const all = (data = query.data) => data?.pages.flatMap((one) => one.items) ?? [];
  const marker = useMarker();
  useMarks(marker, all);
  const [goes, go] = useState(went);
  const first = all().find((tweet) => !tweet.sharedBy);
  if (goes || !marker || !first || !newer(first.id, marker)) return null;
  // The marked tweet may be gone: then the place is that of the next older one.
  const place = (tweets: ReturnType<typeof all>) =>
    tweets.find((tweet) => !tweet.sharedBy && !newer(tweet.id, marker));
  const start = async () => {
    go((went = true));
    let [found, now] = [place(all()), query];
    for (let n = 0; !found && n < most && now.hasNextPage; n++) {
      const next = await query.fetchNextPage();
      if (next.isError) return;
      found = place(all(next.data));
      now = next;
    }
    const to = found ?? all(now.data).at(-1);
    // The list has it as soon as it has drawn what was read.
    for (let n = 0; to && n < 60; n++) {
      if (!dispatchEvent(new CustomEvent("hibana-tweet", { detail: to.id, cancelable: true })))
        return;
      await new Promise(requestAnimationFrame);
    }
  };
  return (
    <div className="resume">
      <button className="button small" onClick={() => void start()}>
        {t("place")}
      </button>
    </div>
  );
}
