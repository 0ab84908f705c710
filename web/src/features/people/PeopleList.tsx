import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "../../lib/speech";
import type { UserSummary } from "../../lib/api";
import { PersonRow } from "./PersonRow";
import { Empty, Failed, Loading } from "../../ui/states";

interface Props<Somebody extends UserSummary> {
  name: readonly unknown[];
  page: (pageToken: string | undefined) => Promise<{ items: Somebody[]; nextPageToken: string }>;
  empty?: string;
  /** What a row has in place of the button that follows. */
  button?: (user: Somebody) => ReactNode;
  /** What a row says in place of how people introduce themselves. */
  note?: (user: Somebody) => string;
}

/** A list of people that goes on while one reads. */
export function PeopleList<Somebody extends UserSummary>({
  name,
  page,
  empty,
  button,
  note,
}: Props<Somebody>) {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    queryKey: name,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => page(pageParam),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  const end = useRef<HTMLDivElement>(null);
  const { fetchNextPage, hasNextPage, isFetchNextPageError } = query;
  useEffect(() => {
    if (!end.current || !hasNextPage || isFetchNextPageError) return;
    const watch = new IntersectionObserver(
      ([seen]) => seen?.isIntersecting && void fetchNextPage(),
      { rootMargin: "600px" },
    );
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [hasNextPage, query.data?.pages.length, isFetchNextPageError, fetchNextPage]);
  if (query.isPending) return <Loading as="people" rows={4} />;
  if (query.isError && !query.data)
    return <Failed failure={query.error} again={() => void query.refetch()} />;
  const people = query.data?.pages.flatMap((p) => p.items) ?? [];
  if (people.length === 0) return <Empty title={empty ?? t("people.none")} />;
  return (
    <>
      <ul>
        {people.map((user) => (
          <li key={user.id}>
            <PersonRow user={user} button={button?.(user)} note={note?.(user)} />
          </li>
        ))}
      </ul>
      <div ref={end} />
      {isFetchNextPageError && <Failed failure={query.error} again={() => void fetchNextPage()} />}
    </>
  );
}
