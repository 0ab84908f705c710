import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link, useLocation } from "wouter";
import { sentence, tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import {
  alter,
  forEver,
  limits,
  muted,
  nameOf,
  part,
  parted,
  type Conversation,
  type Member,
} from "./messages";
import { discardAll } from "./outbox";
import { useMe } from "../../lib/session";
import { toast } from "../../lib/toast";
import { Avatar } from "../../ui/Avatar";
import { Dialog } from "../../ui/Dialog";
import { Wrong } from "../../ui/Wrong";

const hour = 3600_000; // milliseconds
const times = { hour, day: 24 * hour, ever: undefined };

/** Who is in a conversation, and what the reader can change of it. */
export function ConversationDetails({
  conversation,
  onClose,
}: {
  conversation: Conversation;
  onClose: () => void;
}) {
  const { t } = useTranslation("messages");
  const { id, pair, members, myState } = conversation;
  const people = members.filter((one) => !one.hidden);
  return (
    <Dialog title={t("details.title")} onClose={onClose}>
      <section className="details">
        <h3>{t("details.people")}</h3>
        <ul>
          {people.map((one) => (
            <li key={one.id}>
              <Row member={one} onClose={onClose} />
            </li>
          ))}
        </ul>
      </section>
      <Link className="button" href={`/messages?in=${id}`} onClick={onClose}>
        {t("details.search")}
      </Link>
      {!pair && myState === "member" && <Rename conversation={conversation} />}
      <Mute conversation={conversation} />
      {!pair && <End conversation={conversation} how="leave" onClose={onClose} />}
      <End conversation={conversation} how="delete" onClose={onClose} />
    </Dialog>
  );
}

function Row({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useTranslation("messages");
  const me = useMe();
  const state = t(`details.state.${member.state}`);
  return (
    <Link href={`/users/${member.id}`} className="whois" onClick={onClose}>
      <Avatar of={member} size="small" />
      <span className="names">
        <strong dir="auto">{nameOf(member)}</strong>
        <span>
          {member.username && `@${member.username}`}
          {member.id === me?.id && ` · ${t("you")}`}
          {state && ` · ${state}`}
        </span>
      </span>
    </Link>
  );
}

function Rename({ conversation: { id, name } }: { conversation: Conversation }) {
  const { t } = useTranslation("messages");
  const [failure, setFailure] = useState("");
  const save = async (name: string) => {
    setFailure("");
    try {
      await alter(id, { name });
      toast.success(t("details.saved"));
    } catch (problem) {
      setFailure(sentence(problem));
    }
  };
  return (
    <form
      className="details"
      onSubmit={(event) => (
        event.preventDefault(),
        void save(typed(new FormData(event.currentTarget), "name"))
      )}
    >
      <label className="field">
        <span>{t("details.rename")}</span>
        <input
          className="input"
          name="name"
          dir="auto"
          defaultValue={name}
          maxLength={limits.name}
        />
      </label>
      <Wrong text={failure} />
      <button className="button">{t("details.save")}</button>
    </form>
  );
}

function Mute({ conversation }: { conversation: Conversation }) {
  const { t, i18n } = useTranslation("messages");
  const { id, mutedUntil } = conversation;
  const [busy, setBusy] = useState(false);
  const set = async (mutedUntil: string | null) => {
    setBusy(true);
    await alter(id, { mutedUntil }).catch(tell);
    setBusy(false);
  };
  const is = muted(conversation);
  // Longer than anybody waits.
  const ever = is && Date.parse(mutedUntil!) > Date.now() + 100 * 365 * 24 * hour;
  return (
    <section className="details">
      <h3>{t("details.mute")}</h3>
      {is ? (
        <p role="status">
          {ever
            ? t("details.mutedEver")
            : t("details.mutedUntil", {
                when: new Date(mutedUntil!).toLocaleString(i18n.language, {
                  dateStyle: "medium",
                  timeStyle: "short",
                }),
              })}
        </p>
      ) : (
        <p className="muted">{t("details.muteHint")}</p>
      )}
      <div className="choices">
        {is ? (
          <button className="button small" disabled={busy} onClick={() => void set(null)}>
            {t("details.unmute")}
          </button>
        ) : (
          (Object.keys(times) as (keyof typeof times)[]).map((one) => (
            <button
              key={one}
              className="button small"
              disabled={busy}
              onClick={() => {
                const time = times[one];
                void set(time ? new Date(Date.now() + time).toISOString() : forEver);
              }}
            >
              {t(`details.times.${one}`)}
            </button>
          ))
        )}
      </div>
    </section>
  );
}

/** Leaves a conversation, or deletes it for the reader, when somebody is sure. */
function End({
  conversation: { id },
  how,
  onClose,
}: {
  conversation: Conversation;
  how: "leave" | "delete";
  onClose: () => void;
}) {
  const { t } = useTranslation("messages");
  const [, go] = useLocation();
  const [asking, ask] = useState(false);
  const [busy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    try {
      await part(id, how);
      await discardAll(id);
    } catch (failure) {
      setBusy(false);
      return tell(failure);
    }
    onClose();
    go("/messages");
    parted(id); // after the page: it would close this window, which goes back then
  };
  return (
    <section className="details">
      {asking ? (
        <>
          <p role="status">{t(`details.${how}Hint`)}</p>
          <div className="choices">
            <button className="button danger" disabled={busy} onClick={() => void act()}>
              {t("details.sure")}
            </button>
            <button className="button" onClick={() => ask(false)}>
              {t("details.no")}
            </button>
          </div>
        </>
      ) : (
        <button className="button danger" onClick={() => ask(true)}>
          {t(`details.${how}`)}
        </button>
      )}
    </section>
  );
}
