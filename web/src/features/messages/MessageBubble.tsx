import { EllipsisVertical, RotateCw, X } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { sentence } from "../../lib/failures";
import { nameOf, pictured, react, type Conversation, type Member, type Message } from "./messages";
import { discard, failureOf, retry, type Waiting } from "./outbox";
import { useMe } from "../../lib/session";
import { Avatar } from "../../ui/Avatar";
import { Shown } from "../media/Shown";

const MessageMenu = lazy(() => import("./MessageMenu"));

export interface BubbleProps {
  conversation: Conversation;
  message: Message;
  people: Map<string, Member>;
  /** The message that it answers, if it was read. */
  answered: Message | undefined;
  /** Whether it begins what its author wrote at once. */
  first: boolean;
  onJump: (id: string) => void;
  onReply: (message: Message) => void;
}

/** A message: what it answers, what it says and shows, and who reacted. */
export function MessageBubble(props: BubbleProps) {
  const { conversation, message, people, answered, first, onJump } = props;
  const { t, i18n } = useTranslation("messages");
  const me = useMe();
  const [menu, setMenu] = useState(false);
  const mine = message.authorId === me?.id;
  const author = people.get(message.authorId);
  const name = mine ? t("you") : nameOf(author);
  const time = new Date(message.createdAt);
  const when = time.toLocaleTimeString(i18n.language, { timeStyle: "short" });
  const label = t("by", { name, when });
  const group = !conversation.pair && !mine;
  return (
    <article
      className={`message${mine ? " mine" : ""}${first ? " first" : ""}${group ? " group" : ""}`}
      aria-label={label}
      data-message={message.id}
      tabIndex={-1}
    >
      {group &&
        (first && author ? (
          <Link
            href={`/users/${author.id}`}
            aria-hidden="true"
            tabIndex={-1}
            className="messageface"
          >
            <Avatar of={author} size="small" />
          </Link>
        ) : (
          <span className="messageface" />
        ))}
      <div className="bubble">
        {group && first && (
          <p className="who" dir="auto">
            {name}
          </p>
        )}
        {message.replyTo && (
          <Answered
            message={answered}
            says={
              !answered
                ? t("answersOld")
                : answered.authorId === me?.id
                  ? t("answersYou")
                  : t("answers", { name: nameOf(people.get(answered.authorId)) })
            }
            onOpen={() => onJump(message.replyTo!)}
          />
        )}
        {message.takenBack ? (
          <p className="muted">{t("takenBack")}</p>
        ) : (
          <>
            {message.text && (
              <p className="typed" dir="auto">
                {linked(message.text)}
              </p>
            )}
            <Shown tweet={pictured(conversation.id, message, name)} />
          </>
        )}
        <p className="muted stamp">
          <time
            dateTime={message.createdAt}
            title={time.toLocaleString(i18n.language, { dateStyle: "long", timeStyle: "short" })}
          >
            {when}
          </time>
        </p>
      </div>
      {menu ? (
        <Suspense fallback={<Dots label={t("more", { what: label })} />}>
          <MessageMenu {...props} label={t("more", { what: label })} icon={dots} />
        </Suspense>
      ) : (
        <Dots label={t("more", { what: label })} onOpen={() => setMenu(true)} />
      )}
      <Reactions {...props} />
    </article>
  );
}

const dots = <EllipsisVertical size={18} aria-hidden="true" />;
const Dots = ({ label, onOpen }: { label: string; onOpen?: () => void }) => (
  <button className="icon dots" aria-label={label} aria-haspopup="menu" onClick={onOpen}>
    {dots}
  </button>
);

/** What a message answers, if it was read; else that it answers something. */
function Answered({
  message,
  says,
  onOpen,
}: {
  message: Message | undefined;
  says: string;
  onOpen: () => void;
}) {
  const { t } = useTranslation("messages");
  const text = message?.takenBack
    ? t("takenBack")
    : message?.text || (message?.media?.length ? t("picture") : "");
  return (
    <button className="answered" onClick={onOpen}>
      <strong>{says}</strong>
      {text && <span dir="auto">{text}</span>}
    </button>
  );
}

function Reactions({ conversation, message, people }: BubbleProps) {
  const { t } = useTranslation("messages");
  const me = useMe();
  const all = message.reactions.filter(({ userIds }) => userIds.length > 0);
  if (all.length === 0 || message.takenBack) return null;
  const able = conversation.myState === "member" && !conversation.ended;
  return (
    <ul className="reactions">
      {[...all]
        .sort((a, b) => b.userIds.length - a.userIds.length || (a.emoji < b.emoji ? -1 : 1))
        .map(({ emoji, userIds }) => {
          const mine = userIds.includes(me?.id ?? "");
          const names = userIds
            .map((id) => (id === me?.id ? t("you") : nameOf(people.get(id))))
            .join(t("comma"));
          return (
            <li key={emoji}>
              <button
                className="reaction"
                aria-pressed={mine}
                aria-label={t("reacted", { emoji, names })}
                title={names}
                disabled={!able}
                onClick={() =>
                  void react(conversation.id, message, mine ? undefined : emoji, me!.id)
                }
              >
                <span aria-hidden="true">{emoji}</span>
                {userIds.length > 1 && <span aria-hidden="true">{userIds.length}</span>}
              </button>
            </li>
          );
        })}
    </ul>
  );
}

/** A message on its way, or one that the API did not take. */
export function WaitingBubble({ waiting, sending }: { waiting: Waiting; sending: boolean }) {
  const { t } = useTranslation("messages");
  const failure = failureOf(waiting);
  return (
    <article
      className="message mine first waiting"
      aria-label={t("you")}
      data-waiting={waiting.key}
    >
      <div className="bubble">
        {waiting.text && (
          <p className="typed" dir="auto">
            {waiting.text}
          </p>
        )}
        {waiting.mediaIds?.length ? <p className="muted">{t("picture")}</p> : null}
        <p
          className={failure ? "stamp failed" : "muted stamp"}
          role={failure ? "alert" : undefined}
        >
          {failure
            ? t("waiting.failed", { why: sentence(failure) })
            : t(sending ? "waiting.sending" : "waiting.waits")}
        </p>
        {failure && (
          <p className="requestacts">
            <button className="button small" onClick={() => void retry(waiting.key)}>
              <RotateCw size={16} aria-hidden="true" />
              {t("waiting.retry")}
            </button>
            <button className="button small" onClick={() => void discard(waiting.key)}>
              <X size={16} aria-hidden="true" />
              {t("waiting.discard")}
            </button>
          </p>
        )}
      </div>
    </article>
  );
}

/** A text with its addresses as links. */
function linked(text: string) {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,:;!?)\]}'。、！？」』）])/).map((part, n) =>
    n % 2 === 1 ? (
      <a key={n} href={part} target="_blank" rel="noopener noreferrer nofollow">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
