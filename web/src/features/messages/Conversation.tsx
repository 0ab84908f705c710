import "../../i18n/messages";
import "../../styles/messages.css";
import { ArrowDown, Info } from "lucide-react";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { useSearch } from "wouter/use-browser-location";
import { cut, queries } from "../../lib/api";
import { useFollowing } from "./following";
import {
  latest,
  nameOf,
  numberOf,
  seen,
  titleOf,
  useConversation,
  useMessages,
  type Conversation as Talk,
  type Member,
  type Message,
} from "./messages";
import { useKeys } from "../../lib/keyboard";
import { onReturn } from "../../lib/network";
import { begin, useSending, useWaiting } from "./outbox";
import { ConversationDetails } from "./ConversationDetails";
import { Top } from "../../ui/Top";
import { MessageBubble, WaitingBubble } from "./MessageBubble";
import { MessageForm } from "./MessageForm";
import { RequestActs } from "./RequestActs";
import { WaitingMessages } from "../../ui/Skeletons";
import { Failed } from "../../ui/states";
import { useMe } from "../../lib/session";
import { messageKeys } from "./keys";

const near = 5 * 60_000; // milliseconds between messages that stand together
const furthest = 40; // pages that are read for an older message
const edge = 80; // pixels from the end within which the page stays at the end

/** A conversation: its messages, the newest at the end, and where one writes. */
export default function Conversation({ id }: { id: string }) {
  const { t } = useTranslation("messages");
  const me = useMe();
  useState(() => cut(messageKeys.messages(id), 0));
  const talk = useConversation(id);
  const messages = useMessages(id);
  const uid = me?.id;
  // What sends messages on every page comes late: what is written here is sent at once.
  useLayoutEffect(() => (uid ? begin(uid) : undefined), [uid]);
  const [details, setDetails] = useState(false);
  const [replyTo, setReplyTo] = useState<Message>();
  const waiting = useWaiting().filter((one) => one.conversationId === id);
  const pages = messages.data?.pages;
  const sends = waiting.some((one) => !one.failure);
  useFollowing(talk.data, pages, me?.id, sends);
  // Who is in it, and whether something can be sent, changes without a message.
  useEffect(
    () =>
      onReturn(() => void queries.invalidateQueries({ queryKey: messageKeys.conversation(id) })),
    [id],
  );
  const all = useMemo(() => inOrder(pages?.flatMap((page) => page.items) ?? []), [pages]);
  const target = new URLSearchParams(useSearch()).get("at") ?? undefined;
  const conversation = talk.data;
  const focused = () =>
    document.activeElement?.closest<HTMLElement>("[data-message]")?.dataset["message"];
  const step = (by: number) => {
    const articles = [...document.querySelectorAll<HTMLElement>("article[data-message]")];
    const at = articles.findIndex((one) => one.dataset["message"] === focused());
    const next = at < 0 ? articles.length - 1 : at + by;
    articles[Math.max(0, Math.min(next, articles.length - 1))]?.focus();
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    r: () => setReplyTo(all.find((one) => one.id === focused() && !one.takenBack)),
  });
  const stage = useStage(all, target, messages, conversation !== undefined);
  const reads = conversation?.myState === "member";
  const last = all.at(-1);
  const newest = latest([last?.id, pages?.[0]?.newestId]);
  // Who writes has read what was before: the API knows.
  const own = last !== undefined && last.id === newest && last.authorId === me?.id;
  useSeen(reads && !own ? id : undefined, stage.end, newest);
  if (!conversation || !pages) {
    const failed = (!conversation && talk.error) || (!pages && messages.error);
    return (
      <>
        <Top title={conversation ? titleOf(conversation, me?.id) : t("title")} />
        {failed ? (
          <Failed failure={failed} again={() => (void talk.refetch(), void messages.refetch())} />
        ) : (
          <WaitingMessages />
        )}
      </>
    );
  }
  const title = titleOf(conversation, me?.id);
  return (
    <div className="conversation">
      <Top title={title}>
        <button
          className="icon"
          aria-label={t("details.title")}
          title={t("details.title")}
          onClick={() => setDetails(true)}
        >
          <Info size={20} aria-hidden="true" />
        </button>
      </Top>
      <div
        role="log"
        aria-live="polite"
        aria-relevant="additions"
        aria-busy={messages.isFetchingNextPage}
        aria-label={t("log", { name: title })}
        className="log"
        ref={stage.log}
      >
        {messages.hasNextPage && (
          <button
            className="openbranch"
            ref={stage.older}
            disabled={messages.isFetchingNextPage}
            onClick={() => void messages.fetchNextPage()}
          >
            {t("older")}
          </button>
        )}
        <Days conversation={conversation} messages={all} jump={stage.jump} reply={setReplyTo} />
        <Outbox waiting={waiting} />
        <div ref={stage.end} />
      </div>
      <Foot
        conversation={conversation}
        replyTo={replyTo}
        onReply={setReplyTo}
        away={stage.away}
        onEnd={stage.toEnd}
      />
      {details && (
        <ConversationDetails conversation={conversation} onClose={() => setDetails(false)} />
      )}
    </div>
  );
}

function Foot({
  conversation,
  replyTo,
  onReply,
  away,
  onEnd,
}: {
  conversation: Talk;
  replyTo: Message | undefined;
  onReply: (message: Message | undefined) => void;
  away: boolean;
  onEnd: () => void;
}) {
  const { t } = useTranslation("messages");
  const me = useMe();
  const { members, pair, myState, requestedBy, ended } = conversation;
  const asker = members.find((one) => one.id === requestedBy);
  const others = members.filter((one) => one.id !== me?.id);
  const asked = others.find((one) => one.state === "requested");
  return (
    <div className="conversationfoot">
      {away && (
        <button className="icon newest" aria-label={t("newer")} title={t("newer")} onClick={onEnd}>
          <ArrowDown size={20} aria-hidden="true" />
        </button>
      )}
      {myState === "requested" ? (
        <section className="request" aria-label={t("requests")}>
          <p>{t(pair ? "request.asks" : "request.asksGroup", { name: nameOf(asker) })}</p>
          <p className="muted">{t("request.hint")}</p>
          <RequestActs conversation={conversation} />
        </section>
      ) : ended ? (
        <p className="ended" role="status">
          {t("ended")}
        </p>
      ) : (
        <>
          {pair && asked && (
            <p className="muted" role="status">
              {t("request.waits", { name: nameOf(asked) })}
            </p>
          )}
          <MessageForm
            conversation={conversation}
            replyTo={replyTo}
            onReply={onReply}
            onSent={onEnd}
          />
        </>
      )}
      <p className="openly">{t("open")}</p>
    </div>
  );
}

/** The messages, under the day and the person that they are of. */
function Days({
  conversation,
  messages,
  jump,
  reply,
}: {
  conversation: Talk;
  messages: Message[];
  jump: (id: string) => void;
  reply: (message: Message) => void;
}) {
  const { i18n } = useTranslation();
  const { members } = conversation;
  const days: { name: string; at: string; messages: Message[] }[] = [];
  const hidden = new Set(
    members.flatMap((one) => (one.hidden && !conversation.pair ? one.id : [])),
  );
  const shown = messages.filter((one) => !hidden.has(one.authorId));
  for (const message of shown) {
    const name = dayName(message.createdAt, i18n.language);
    if (days.at(-1)?.name !== name) days.push({ name, at: message.createdAt, messages: [] });
    days.at(-1)!.messages.push(message);
  }
  const people = new Map<string, Member>(members.map((one) => [one.id, one]));
  const known = new Map(shown.map((one) => [one.id, one]));
  return days.map(({ name, at, messages }) => (
    <section key={name} aria-label={name}>
      <h2 className="day">
        <time dateTime={at.slice(0, 10)}>{name}</time>
      </h2>
      {messages.map((message, n) => {
        const before = messages[n - 1];
        return (
          <MessageBubble
            key={message.id}
            conversation={conversation}
            message={message}
            people={people}
            answered={message.replyTo ? known.get(message.replyTo) : undefined}
            first={
              before?.authorId !== message.authorId ||
              Date.parse(message.createdAt) - Date.parse(before.createdAt) > near
            }
            onJump={jump}
            onReply={reply}
          />
        );
      })}
    </section>
  ));
}

function Outbox({ waiting }: { waiting: ReturnType<typeof useWaiting> }) {
  const sending = useSending();
  return waiting.map((one) => (
    <WaitingBubble key={one.key} waiting={one} sending={one.key === sending} />
  ));
}

const dayName = (at: string, language: string) =>
  new Date(at).toLocaleDateString(language, { dateStyle: "full" });

const inOrder = (messages: Message[]) =>
  [...new Map(messages.map((one) => [one.id, one])).values()].sort(
    (a, b) => numberOf(a.id) - numberOf(b.id),
  );

interface Older {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
  data: { pages: unknown[] } | undefined;
}

/**
 * Keeps the window at the end of the messages while somebody is there, and where it is otherwise;
 * goes to a message, for which older ones are read; and says what was seen.
 */
function useStage(all: Message[], target: string | undefined, older: Older, drawn: boolean) {
  const log = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const olderButton = useRef<HTMLButtonElement>(null);
  const stick = useRef(target === undefined);
  const [away, setAway] = useState(false);
  const [wanted, want] = useState(target);
  const there = drawn && all.length > 0; // messages may come before what stands around them
  const first = all[0]?.id;

  const toEnd = () => {
    stick.current = true;
    setAway(false);
    scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  };

  // The end stays in the window while pictures and messages come.
  const look = useEffectEvent((touched: boolean) => {
    const page = document.documentElement;
    const close = page.scrollHeight - innerHeight - scrollY <= edge;
    if (close) stick.current = true;
    else if (touched) stick.current = false;
    setAway(!close && !stick.current);
  });
  const grown = useEffectEvent(() => (stick.current ? toEnd() : look(false)));
  useEffect(() => {
    const box = log.current;
    if (!box) return;
    let touched = false;
    const hands = new AbortController();
    const options = { passive: true, signal: hands.signal };
    for (const event of ["wheel", "touchmove", "pointerdown", "keydown"])
      addEventListener(event, () => (touched = true), options);
    addEventListener("scroll", () => look(touched), options);
    addEventListener("resize", () => grown(), options);
    const watch = new ResizeObserver(() => grown());
    watch.observe(box);
    return () => (watch.disconnect(), hands.abort());
  }, [there]);

  // Older messages come above: what was in the window stays there.
  const place = useRef({ first, height: 0 });
  useLayoutEffect(() => {
    const height = document.documentElement.scrollHeight;
    const before = place.current;
    if (before.first && before.first !== first && !stick.current && wanted === undefined)
      scrollBy({ top: height - before.height, behavior: "instant" });
    place.current = { first, height };
  });
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = older;
  useEffect(() => {
    const button = olderButton.current;
    if (!button || isFetching || isFetchNextPageError) return;
    // Also where few messages do not fill the window: a month begins a page of its own.
    const watch = new IntersectionObserver(([seen]) => {
      if (seen?.isIntersecting) fetchNextPage();
    });
    watch.observe(button);
    return () => watch.disconnect();
  }, [isFetching, isFetchNextPageError, fetchNextPage, first, drawn]);

  // A message that is wanted and not there yet is among older ones.
  const count = older.data?.pages.length ?? 0;
  useEffect(() => {
    if (wanted === undefined || !first || !drawn) return;
    const found = log.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(wanted)}"]`);
    if (found) {
      stick.current = false;
      found.scrollIntoView({ block: "center", behavior: "instant" });
      found.focus({ preventScroll: true });
      look(false);
      want(undefined);
    } else if (hasNextPage && count < furthest && numberOf(first) > numberOf(wanted)) {
      if (!isFetching) fetchNextPage();
    } else if (!isFetching) want(undefined);
  }, [wanted, first, drawn, hasNextPage, isFetching, count, fetchNextPage]);

  return { log, end, older: olderButton, away, toEnd, jump: want };
}

/** Tells the API that the newest message was in the window of somebody who looks at it. */
function useSeen(
  conversationId: string | undefined,
  end: React.RefObject<HTMLDivElement | null>,
  newest: string | undefined,
) {
  useEffect(() => {
    const mark = end.current;
    if (!mark || !newest || !conversationId) return;
    let inside = false;
    const look = () => {
      if (inside && document.visibilityState === "visible") seen(conversationId, newest);
    };
    const watch = new IntersectionObserver(([seen]) => {
      inside = seen?.isIntersecting ?? false;
      look();
    });
    watch.observe(mark);
    document.addEventListener("visibilitychange", look);
    return () => {
      watch.disconnect();
      document.removeEventListener("visibilitychange", look);
    };
  }, [end, newest, conversationId]);
}
