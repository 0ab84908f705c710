import "../../i18n/messages";
import "../../styles/messages.css";
import { BellMinus, MessageSquarePlus, Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link, useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { cut, queries } from "../../lib/api";
import { typed } from "../../lib/forms";
import {
  muted,
  nameOf,
  titleOf,
  useConversation,
  useConversations,
  useFound,
  type Conversation as Talk,
  type Message,
} from "./messages";
import { onReturn } from "../../lib/network";
import { show } from "../../lib/overlays";
import { Faces } from "./Faces";
import { Top } from "../../ui/Top";
import { RequestActs } from "./RequestActs";
import { Empty, Failed, Loading } from "../../ui/states";
import { useMe } from "../../lib/session";
import { When } from "../../lib/time";
import { useTalks } from "../notifications/unread";
import Conversation from "./Conversation";
import { More } from "../../ui/More";
import { messageKeys } from "./keys";

/** A conversation, or all of them. */
export default function Messages({ id }: { id: string | undefined }) {
  return id ? <Conversation id={id} /> : <All />;
}

/** The reader's conversations, requests of strangers, and the search in messages. */
function All() {
  const { t } = useTranslation("messages");
  const asked = new URLSearchParams(useSearch());
  const [query, within] = [asked.get("q") ?? "", asked.get("in") ?? undefined];
  const requests = asked.has("requests");
  const waiting = useTalks()?.requests ?? 0;
  return (
    <>
      <Top title={t("title")}>
        <button
          className="icon"
          aria-label={t("new")}
          title={t("new")}
          onClick={() => show({ kind: "message" })}
        >
          <MessageSquarePlus size={20} aria-hidden="true" />
        </button>
      </Top>
      <div className="messagesearch">
        <SearchField query={query} within={within} />
      </div>
      {query || within ? (
        <Found query={query} within={within} />
      ) : (
        <>
          <nav className="tabs" aria-label={t("title")}>
            <Link href="/messages" replace aria-current={requests ? undefined : "page"}>
              {t("all")}
            </Link>
            <Link href="/messages?requests" replace aria-current={requests ? "page" : undefined}>
              {waiting > 0 ? t("requestsCount", { count: waiting }) : t("requests")}
            </Link>
          </nav>
          <List key={String(requests)} requests={requests} />
        </>
      )}
      <p className="openly">{t("open")}</p>
    </>
  );
}

function SearchField({ query, within }: { query: string; within: string | undefined }) {
  const { t } = useTranslation("messages");
  const [, go] = useLocation();
  const conversation = useName(within);
  return (
    <>
      <form
        role="search"
        aria-label={t("search.label")}
        className="searchbox"
        onSubmit={(event) => {
          event.preventDefault();
          const q = typed(new FormData(event.currentTarget), "q");
          const to = new URLSearchParams({
            ...(q ? { q } : {}),
            ...(within ? { in: within } : {}),
          });
          go(`/messages?${to.toString()}`);
        }}
      >
        <Search size={18} aria-hidden="true" />
        <input
          key={query}
          name="q"
          type="search"
          defaultValue={query}
          placeholder={t("search.placeholder")}
          aria-label={t("search.label")}
          maxLength={200}
          enterKeyHint="search"
          autoComplete="off"
        />
      </form>
      {within && (
        <p className="within">
          <Link href={`/messages/${within}`}>
            <bdi>{t("search.in", { name: conversation })}</bdi>
          </Link>
          <Link
            className="button small"
            href={query ? `/messages?q=${encodeURIComponent(query)}` : "/messages"}
          >
            {t("search.end")}
          </Link>
        </p>
      )}
    </>
  );
}

/** What a conversation is called, once it is known. */
function useName(id: string | undefined): string {
  const me = useMe();
  const { data } = useConversation(id);
  return data ? titleOf(data, me?.id) : "…";
}

function List({ requests }: { requests: boolean }) {
  const { t } = useTranslation(["messages", "translation"]);
  useState(() => cut(messageKeys.list(requests), 0));
  const query = useConversations(requests);
  useEffect(
    () => onReturn(() => void queries.invalidateQueries({ queryKey: messageKeys.list(requests) })),
    [requests],
  );
  if (query.isPending) return <Loading as="talks" />;
  if (query.isError && !query.data)
    return <Failed failure={query.error} again={() => void query.refetch()} />;
  const all = query.data.pages.flatMap((page) => page.items);
  const unique = all.filter((one, n) => all.findIndex(({ id }) => id === one.id) === n);
  if (unique.length === 0 && !query.hasNextPage)
    return requests ? (
      <Empty title={t("noRequests")} hint={t("noRequestsHint")} />
    ) : (
      <Empty title={t("empty")} hint={t("emptyHint")}>
        <button className="button main" onClick={() => show({ kind: "message" })}>
          {t("new")}
        </button>
      </Empty>
    );
  return (
    <>
      <ul aria-label={t(requests ? "requests" : "all")}>
        {unique.map((one) => (
          <li key={one.id}>
            <Row conversation={one} request={requests} />
          </li>
        ))}
      </ul>
      <More of={query} label={t("translation:state.more")} />
    </>
  );
}

function Row({ conversation, request }: { conversation: Talk; request: boolean }) {
  const { t } = useTranslation("messages");
  const me = useMe();
  const { id, pair, unreadCount, lastMessage, members, requestedBy } = conversation;
  const author =
    lastMessage?.authorId === me?.id
      ? t("you")
      : nameOf(members.find((one) => one.id === lastMessage?.authorId));
  const said = lastMessage?.excerpt || (lastMessage?.hasMedia ? t("picture") : "");
  const asker = nameOf(members.find((one) => one.id === requestedBy));
  return (
    <article className={unreadCount > 0 ? "conversationrow new" : "conversationrow"}>
      <Link href={`/messages/${id}`}>
        <Faces conversation={conversation} />
        <span className="what">
          <strong dir="auto">{titleOf(conversation, me?.id)}</strong>
          {request && (
            <span className="muted">
              {t(pair ? "request.asks" : "request.asksGroup", { name: asker })}
            </span>
          )}
          {lastMessage && (
            <span className="said" dir="auto">
              {said && (!pair || lastMessage.authorId === me?.id)
                ? t("says", { name: author, text: said })
                : said || t("takenBack")}
            </span>
          )}
        </span>
        <span className="when muted">
          <When at={lastMessage?.createdAt ?? conversation.changedAt} />
          <span className="marks">
            {muted(conversation) && <BellMinus size={16} role="img" aria-label={t("muted")} />}
            {unreadCount > 0 && (
              <span className="badge">
                <span aria-hidden="true">{unreadCount > 99 ? "99+" : unreadCount}</span>
                <span className="hidden">{t("unread", { count: unreadCount })}</span>
              </span>
            )}
          </span>
        </span>
      </Link>
      {request && <RequestActs conversation={conversation} />}
    </article>
  );
}

function Found({ query, within }: { query: string; within: string | undefined }) {
  const { t } = useTranslation(["messages", "translation"]);
  const found = useFound(query, within);
  if (!query) return null;
  if (found.isPending) return <Loading as="talks" rows={3} />;
  if (found.isError && !found.data)
    return <Failed failure={found.error} again={() => void found.refetch()} />;
  const all = found.data.pages.flatMap((page) => page.items);
  if (all.length === 0 && !found.hasNextPage) return <Empty title={t("search.none")} />;
  return (
    <>
      <ul aria-label={t("search.label")}>
        {all.map(({ conversationId, message }) => (
          <li key={message.id + conversationId}>
            <Hit conversationId={conversationId} message={message} />
          </li>
        ))}
      </ul>
      <More of={found} label={t("translation:state.more")} />
    </>
  );
}

function Hit({ conversationId, message }: { conversationId: string; message: Message }) {
  const { t } = useTranslation("messages");
  const me = useMe();
  const { data } = useConversation(conversationId);
  const author =
    message.authorId === me?.id
      ? t("you")
      : nameOf(data?.members.find((one) => one.id === message.authorId));
  return (
    <article className="conversationrow">
      <Link href={`/messages/${conversationId}?at=${message.id}`}>
        {data ? <Faces conversation={data} /> : <span className="twofaces" />}
        <span className="what">
          <strong dir="auto">{data ? titleOf(data, me?.id) : "…"}</strong>
          <span className="said" dir="auto">
            {data ? t("says", { name: author, text: message.text }) : message.text}
          </span>
        </span>
        <span className="when muted">
          <When at={message.createdAt} />
        </span>
      </Link>
    </article>
  );
}
