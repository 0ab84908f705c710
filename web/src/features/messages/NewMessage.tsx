import "../../i18n/messages";
import "../../styles/messages.css";
import { useQuery } from "@tanstack/react-query";
import { UserRoundPlus, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { useLocation } from "wouter";
import { body, hibana, queries } from "../../lib/api";
import { sentence } from "../../lib/failures";
import { limits, nameOf, reread } from "./messages";
import { raw } from "./requests";
import type { Addressee } from "../../lib/overlays";
import { useMe } from "../../lib/session";
import { Avatar } from "../../ui/Avatar";
import { Dialog } from "../../ui/Dialog";
import { Wrong } from "../../ui/Wrong";
import { messageKeys } from "./keys";

/** Begins a conversation, with somebody or several people who are found by name. */
export default function NewMessage({
  to,
  onClose,
}: {
  to?: Addressee | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation("messages");
  const [, go] = useLocation();
  const [chosen, choose] = useState<Addressee[]>(to ? [to] : []);
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  // The same letter is sent once, however often; another one has another key.
  const [sent, setSent] = useState({ letter: "", key: "" });
  const several = chosen.length > 1;
  const send = async () => {
    if (chosen.length === 0) return setFailure(t("begin.nobody"));
    if (!text.trim()) return setFailure(t("begin.noText"));
    setBusy(true);
    setFailure("");
    const letter = {
      memberIds: chosen.map(({ id }) => id),
      text: text.trim(),
      ...(several && name.trim() ? { name: name.trim() } : {}),
    };
    const same = sent.letter === JSON.stringify(letter);
    const key = same ? sent.key : crypto.randomUUID();
    if (!same) setSent({ letter: JSON.stringify(letter), key });
    try {
      const begun = await raw.begin(letter, key);
      queries.setQueryData(messageKeys.conversation(begun.id), begun);
      void queries.invalidateQueries({ queryKey: messageKeys.messages(begun.id) });
      reread();
      onClose();
      go(`/messages/${begun.id}`);
    } catch (problem) {
      setFailure(sentence(problem));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("begin.title")} onClose={onClose} plain>
      <form
        className="inside beginning"
        onSubmit={(event) => (event.preventDefault(), void send())}
      >
        {chosen.length > 0 && (
          <ul className="chosen" aria-label={t("begin.chosen")}>
            {chosen.map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  className="chip"
                  aria-label={t("begin.remove", { name: nameOf(one) })}
                  onClick={() => choose(chosen.filter(({ id }) => id !== one.id))}
                >
                  <bdi>{nameOf(one)}</bdi>
                  <X size={14} aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
        )}
        {chosen.length < limits.people ? (
          <Finder chosen={chosen} onChoose={(one) => choose([...chosen, one])} />
        ) : (
          <p className="muted">{t("begin.full", { count: limits.people })}</p>
        )}
        {several && (
          <label className="field">
            <span>{t("begin.name")}</span>
            <input
              className="input"
              dir="auto"
              value={name}
              maxLength={limits.name}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
        )}
        <label className="field">
          <span>{t("begin.text")}</span>
          <textarea
            className="input"
            rows={4}
            dir="auto"
            value={text}
            maxLength={limits.text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <p className="muted">{t("open")}</p>
        <Wrong text={failure} />
        <button className="button main" disabled={busy}>
          {t("begin.send")}
        </button>
      </form>
    </Dialog>
  );
}

function Finder({ chosen, onChoose }: { chosen: Addressee[]; onChoose: (one: Addressee) => void }) {
  const { t } = useTranslation("messages");
  const me = useMe();
  const [text, setText] = useState("");
  const asked = text.trim().replace(/^@/, "");
  const found = useQuery({
    queryKey: messageKeys.people(asked),
    enabled: asked.length > 0,
    staleTime: 60_000,
    meta: { keep: false },
    queryFn: () =>
      body(hibana.GET("/v1/search/users", { params: { query: { q: asked, pageSize: 8 } } })),
  });
  const people = (found.data?.items ?? []).filter(
    // No message reaches a person of another server, as bob@far.example.
    ({ id, username }) =>
      id !== me?.id && !username.includes("@") && !chosen.some((one) => one.id === id),
  );
  return (
    <div className="finder">
      <label className="field">
        <span>{t("begin.who")}</span>
        <input
          className="input"
          type="search"
          autoComplete="off"
          maxLength={50}
          value={text}
          onChange={(event) => setText(event.target.value)}
          // Enter finds, and does not send what is not written yet.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      </label>
      <p className="hidden" role="status">
        {asked && found.data && people.length === 0 ? t("begin.none") : ""}
      </p>
      {asked && found.data && people.length === 0 && (
        <p className="muted" aria-hidden="true">
          {t("begin.none")}
        </p>
      )}
      {people.length > 0 && (
        <ul aria-label={t("begin.people")}>
          {people.map((one) => (
            <li key={one.id}>
              <button type="button" className="whois" onClick={() => (onChoose(one), setText(""))}>
                <Avatar of={one} size="small" />
                <span className="names">
                  <strong dir="auto">{one.nickname}</strong>
                  <span>@{one.username}</span>
                </span>
                <UserRoundPlus size={18} role="img" aria-label={t("begin.add")} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
