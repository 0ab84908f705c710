import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "../../lib/speech";
import { body, hibana, type Tweet } from "../../lib/api";
import { When } from "../../lib/time";
import { Dialog } from "../../ui/Dialog";
import { Failed, Loading } from "../../ui/states";
import { postKeys } from "./keys";

/** What a tweet was before its edits, the newest first. */
export default function History({ tweet, onClose }: { tweet: Tweet; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    queryKey: postKeys.revisions(tweet.id),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(
        hibana.GET("/v1/tweets/{id}/revisions", {
          params: { path: { id: tweet.id }, query: { pageToken: pageParam } },
        }),
      ),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  const revisions = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Dialog title={t("tweet.history")} onClose={onClose}>
      {query.isPending && <Loading rows={2} />}
      {query.isError && (!query.data || query.isFetchNextPageError) && (
        <Failed failure={query.error} again={() => void query.refetch()} />
      )}
      {query.data && (
        <ol className="revisions">
          <li>
            <span className="chip">{t("tweet.current")}</span>
            <p dir="auto">{tweet.content ?? tweet.snippet}</p>
          </li>
          {revisions.map((revision) => (
            <li key={revision.number}>
              <span className="muted">
                {revision.number === 1
                  ? t("tweet.posted")
                  : t("tweet.version", { number: revision.number })}{" "}
                · <When at={revision.writtenAt} />
              </span>
              {revision.summary && <bdi className="chip">{revision.summary}</bdi>}
              <p dir="auto">{revision.content ?? revision.snippet}</p>
            </li>
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <button className="button" onClick={() => void query.fetchNextPage()}>
          {t("state.more")}
        </button>
      )}
    </Dialog>
  );
}
