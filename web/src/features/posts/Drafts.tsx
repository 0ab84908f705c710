import "../../i18n/compose";
import "../../i18n/media";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Clock, Trash2 } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { show } from "../../lib/overlays";
import { LocalDrafts } from "./LocalDrafts";
import { useLocals } from "./locals";
import { Top } from "../../ui/Top";
import { Empty, Failed, Loading } from "../../ui/states";
import { postKeys } from "./keys";

/** What waits to be posted. */
export default function Drafts() {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    queryKey: postKeys.drafts,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(hibana.GET("/v1/drafts", { params: { query: { pageToken: pageParam } } })),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  const drafts = query.data?.pages.flatMap((page) => page.items) ?? [];
  const here = useLocals();
  return (
    <>
      <Top title={t("drafts.title")} />
      <LocalDrafts drafts={here} />
      {query.isPending && <Loading rows={2} />}
      {query.isError && (!query.data || query.isFetchNextPageError) && (
        <Failed failure={query.error} again={() => void query.refetch()} />
      )}
      {query.data && drafts.length === 0 && here.length === 0 && (
        <Empty title={t("drafts.empty")} hint={t("drafts.emptyHint")} />
      )}
      <ul>
        {drafts.map((draft) => (
          <li key={draft.id}>
            <Waiting draft={draft} />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <button className="openbranch" onClick={() => void query.fetchNextPage()}>
          {t("state.more")}
        </button>
      )}
    </>
  );
}

function Waiting({ draft }: { draft: Schemas["Draft"] }) {
  const { t, i18n } = useTranslation(["translation", "media"]);
  const remove = async () => {
    try {
      await hibana.DELETE("/v1/drafts/{id}", { params: { path: { id: draft.id } } });
    } catch (failure) {
      tell(failure);
    }
    await queries.invalidateQueries({ queryKey: postKeys.drafts });
  };
  const known = draft.failure && t(`errors.${draft.failure.code}` as "errors.internal");
  return (
    <article className="told">
      <Clock aria-hidden="true" />
      <div style={{ display: "flex", gap: "var(--space-3)", alignItems: "start" }}>
        <button
          style={{ flex: 1, textAlign: "start" }}
          onClick={() => show({ kind: "compose", draft })}
        >
          <p dir="auto">
            {draft.summary ||
              draft.content.slice(0, 280) ||
              t(draft.media?.length === 1 ? "media:either" : "media:group", {
                count: draft.media?.length ?? 0, // several are no videos
              })}
          </p>
          {draft.publishAt && (
            <p className="muted">
              {t("drafts.at", {
                when: new Date(draft.publishAt).toLocaleString(i18n.language, {
                  dateStyle: "medium",
                  timeStyle: "short",
                }),
              })}
            </p>
          )}
          {draft.failure && (
            <p className="muted">
              {t("drafts.failed", {
                why: known && !known.startsWith("errors.") ? known : draft.failure.detail,
              })}
            </p>
          )}
        </button>
        <button className="icon" aria-label={t("drafts.delete")} onClick={() => void remove()}>
          <Trash2 size={18} aria-hidden="true" />
        </button>
      </div>
    </article>
  );
}
