import "../../i18n/held";
import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, HibanaError, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { Avatar } from "../../ui/Avatar";
import { Top } from "../../ui/Top";
import { Empty, Failed, Loading } from "../../ui/states";
import { meKey } from "../../lib/session";
import { When } from "../../lib/time";
import { toast } from "../../lib/toast";
import { More } from "../../ui/More";
import { postKeys } from "./keys";

type Reply = Schemas["HeldReply"];

const Preview = lazy(() => import("./Preview"));

/** The replies that wait for the reader's approval, and the reader's own that wait for others. */
export default function Held() {
  const { t } = useTranslation("held");
  return (
    <>
      <Top title={t("title")} />
      <List own={false} />
      <List own />
    </>
  );
}

function List({ own }: { own: boolean }) {
  const { t } = useTranslation(["held", "translation"]);
  const query = useInfiniteQuery({
    queryKey: postKeys.held(own),
    meta: { keep: false },
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const page = { params: { query: { pageToken: pageParam } } };
      return body(
        own ? hibana.GET("/v1/users/me/heldReplies", page) : hibana.GET("/v1/heldReplies", page),
      );
    },
    getNextPageParam: (last) => last.nextPageToken || undefined,
    refetchOnMount: "always",
  });
  const replies = query.data?.pages.flatMap((page) => page.items) ?? [];
  if (own && replies.length === 0 && !query.isError && !query.hasNextPage) return null;
  const title = t(own ? "yours" : "forYou");
  return (
    <section aria-label={title}>
      <h2 style={{ padding: "var(--space-3) var(--space-4)" }}>{title}</h2>
      {query.isPending && <Loading rows={2} />}
      {query.isError && !query.data && (
        <Failed failure={query.error} again={() => void query.refetch()} />
      )}
      {query.data && replies.length === 0 && !query.hasNextPage && (
        <Empty title={t("forYouEmpty")} />
      )}
      <ul>
        {replies.map((reply) => (
          <li key={reply.id}>
            <Waiting reply={reply} own={own} />
          </li>
        ))}
      </ul>
      <More of={query} label={t("translation:state.more")} />
    </section>
  );
}

function Waiting({ reply, own }: { reply: Reply; own: boolean }) {
  const { t } = useTranslation("held");
  const [sending, setSending] = useState(false);
  const [open, setOpen] = useState(reply.summary === "");
  const act = async (approve: boolean) => {
    setSending(true);
    const one = { params: { path: { id: reply.id } } };
    try {
      if (approve) {
        await hibana.POST("/v1/heldReplies/{id}/approve", one);
        toast.success(t("approved"));
        void queries.invalidateQueries({ queryKey: postKeys.threads });
      } else await hibana.DELETE("/v1/heldReplies/{id}", one);
    } catch (failure) {
      // It may be gone by a request whose answer was lost.
      if (!(failure instanceof HibanaError && failure.code === "held_reply_not_found"))
        tell(failure);
      setSending(false);
    }
    void queries.invalidateQueries({ queryKey: meKey });
    await queries.invalidateQueries({ queryKey: postKeys.allHeld });
  };
  const button = (key: "approve" | "refuse" | "withdraw", main: boolean) => (
    <button
      className={main ? "button small main" : "button small"}
      aria-label={t("by", { act: t(key), name: reply.author.nickname })}
      disabled={sending}
      onClick={() => void act(key === "approve")}
    >
      {t(key)}
    </button>
  );
  return (
    <article className="told" data-held={reply.id} style={{ columnGap: "var(--space-3)" }}>
      <Link href={`/users/${reply.authorId}`} aria-hidden="true" tabIndex={-1}>
        <Avatar of={reply.author} />
      </Link>
      <div style={{ display: "grid", gap: "var(--space-2)", minWidth: 0 }}>
        <p>
          <Link href={`/users/${reply.authorId}`}>
            <strong dir="auto">{reply.author.nickname}</strong>
          </Link>{" "}
          <span className="muted">
            @{reply.author.username} · <When at={reply.createdAt} />
          </span>
        </p>
        {reply.summary && (
          <p>
            <bdi>{reply.summary}</bdi>{" "}
            {!open && (
              <button className="button small" onClick={() => setOpen(true)}>
                {t("show")}
              </button>
            )}
          </p>
        )}
        {open && (
          <>
            <Suspense fallback={<p dir="auto">{reply.content}</p>}>
              <Preview content={reply.content} />
            </Suspense>
            {reply.media?.map((media) =>
              media.type === "video" ? (
                <video
                  key={media.id}
                  src={media.urls.original}
                  aria-label={media.alt}
                  controls
                  preload="none"
                  style={{ maxWidth: "100%" }}
                />
              ) : (
                <img
                  key={media.id}
                  src={media.urls.small}
                  alt={media.alt}
                  loading="lazy"
                  style={{ maxWidth: "100%" }}
                />
              ),
            )}
            {reply.poll && (
              <p className="muted">{t("poll", { options: reply.poll.options.join(" / ") })}</p>
            )}
          </>
        )}
        <p style={{ display: "flex", flexWrap: "wrap", gap: "var(--space-2)" }}>
          {own ? (
            button("withdraw", false)
          ) : (
            <>
              {button("approve", true)}
              {button("refuse", false)}
            </>
          )}
          <Link className="button small" href={`/tweets/${reply.replyTo}`}>
            {t("answers")}
          </Link>
        </p>
      </div>
    </article>
  );
}
