import "../../../i18n/compose";
import "../../../i18n/held";
import "../../../styles/compose.css";
import { X } from "lucide-react";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "../../../lib/speech";
import { useMe } from "../../../lib/session";
import { excerpt } from "../../../lib/excerpts";
import { cut } from "../../../lib/words";
import { Avatar } from "../../../ui/Avatar";
import { Loading } from "../../../ui/states";
import Attach, { Picker, type Said } from "../../media/Attach";
import { named } from "../../media/media";
import { add, useAttached } from "../../media/uploads";
import { Count, Cut } from "./Count";
import { Emoji } from "./Emoji";
import { Failure } from "./Failure";
import { Options } from "./Options";
import { PollFields } from "./PollFields";
import { Retell } from "./Retell";
import { Row } from "./Row";
import type { Subject } from "./subject";
import { icons, Tool } from "./Tool";
import { useSheet } from "./useSheet";
import { Writing } from "./Writing";

// Without the network the text stays as it was written.
const Preview = lazy(() => import("../Preview").catch(() => ({ default: Plain })));

interface Props extends Subject {
  onClose: () => void;
  /** Where the form stands in a page: what was typed and dropped before it was there. */
  early?: { text: string; files: File[] };
}

/** The form in which a tweet is written: in the window, and in its place on a page. */
export default function Sheet({ onClose, early, ...subject }: Props) {
  const { t } = useTranslation(["translation", "media", "held", "compose"]);
  const me = useMe();
  const { replyTo, quoteOf, edit, kept } = subject;
  const sheet = useSheet(subject, onClose);
  const { name, draft, set, at, warned, sending, due, ask, left } = sheet;
  const [preview, setPreview] = useState(Boolean(edit));
  const [options, setOptions] = useState(at !== "");
  const [emoji, setEmoji] = useState(false);
  const [said, say] = useState<Said>();
  const area = useRef<HTMLTextAreaElement>(null);
  const untold = useAttached(name).filter(({ alt }) => !alt?.trim()).length;
  const above = replyTo ?? quoteOf;
  const off = sending || due !== undefined || sheet.nothing;
  // Where a time was chosen, whatever sends the form schedules it.
  const submit = () => ask(at ? "keep" : "post");

  const begin = useEffectEvent(() => {
    if (early?.text) set({ content: draft.content + early.text });
    if (early?.files.length) say(add(name, early.files));
    if (early) Object.assign(early, { text: "", files: [] });
  });
  useEffect(() => begin(), []);

  const insert = (text: string) => {
    const field = area.current;
    if (!field) return;
    const [from, to] = [field.selectionStart, field.selectionEnd];
    set({ content: draft.content.slice(0, from) + text + draft.content.slice(to) });
    setEmoji(false);
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(from + text.length, from + text.length);
    });
  };
  return (
    <form className="compose" onSubmit={(event) => (event.preventDefault(), submit())}>
      {me && <Avatar of={me} />}
      {early && (
        <button
          type="button"
          className="icon leave"
          aria-label={t("compose:close")}
          title={t("compose:close")}
          onClick={onClose}
        >
          <X size={18} aria-hidden="true" />
        </button>
      )}
      <div className="sheet">
        {above && !early && (
          <p className="quoted muted">
            {above.summary || cut(excerpt(above), 140) || named(above.media ?? [])}
          </p>
        )}
        {replyTo?.repliesHeldBy && replyTo.repliesHeldBy !== me?.id && (
          <p className="muted">{t("held:hint")}</p>
        )}
        {warned && (
          <label className="field">
            <span>{t("compose.warning")}</span>
            <input
              className="input"
              value={draft.summary}
              maxLength={500}
              onChange={(event) => set({ summary: event.target.value })}
            />
            <small>{t("compose.warningHint")}</small>
          </label>
        )}
        <Writing
          area={area}
          value={draft.content}
          sending={sending}
          onChange={(content) => set({ content })}
          onSend={submit}
        />
        {preview && (
          <section className="preview" aria-label={t("compose.preview")}>
            <Suspense fallback={<Loading rows={1} />}>
              <Preview content={draft.content} />
            </Suspense>
          </section>
        )}
        <Cut left={left} />
        {/* What is typed after the descriptions were sent would be lost. */}
        <fieldset className="files" disabled={sending}>
          {edit ? (
            <Retell tweet={edit.tweet} media={draft.media} onChange={(media) => set({ media })} />
          ) : (
            <Attach shelf={name} said={said} />
          )}
        </fieldset>
        {!edit && untold > 0 && (
          <small className="hint" role="note">
            {t("compose:untold", { count: untold })}
          </small>
        )}
        {draft.poll && <PollFields poll={draft.poll} onChange={(poll) => set({ poll })} />}
        <Row
          draft={draft}
          set={set}
          than={replyTo?.visibility}
          answers={Boolean(kept?.replyTo)}
          edits={Boolean(edit)}
        />
        {options && (
          <Options draft={draft} set={set} at={at} onAt={edit ? undefined : sheet.setAt} />
        )}
        <Failure of={sheet.failure} />
        {due && (
          <p className="notice" role="status">
            {t(due === "post" ? "media:attach.until" : "media:attach.untilKept")}
            <button type="button" className="button small" onClick={sheet.wait}>
              {t("media:attach.stop")}
            </button>
          </p>
        )}
        <div className="strip">
          {!edit && <Picker shelf={name} say={say} disabled={sending} />}
          <Tool
            icon={icons.emoji}
            label={t("compose:emoji")}
            opens
            on={emoji}
            onClick={() => setEmoji(!emoji)}
          />
          <Tool
            icon={icons.preview}
            label={t("compose.preview")}
            on={preview}
            onClick={() => setPreview(!preview)}
          />
          <Tool
            icon={icons.warning}
            label={t("compose.warning")}
            on={warned}
            onClick={() => sheet.setWarned(!warned)}
          />
          {!edit && (
            <Tool
              icon={icons.poll}
              label={t("poll.add")}
              on={draft.poll !== undefined}
              onClick={() =>
                set({ poll: draft.poll ? undefined : { options: ["", ""], minutes: 1440 } })
              }
            />
          )}
          <Tool
            icon={icons.options}
            label={t("compose.options")}
            opens
            on={options}
            onClick={() => setOptions(!options)}
          />
          <Count left={left} />
          {!edit && (
            <button
              type="button"
              className={at ? "button main" : "button"}
              disabled={off}
              onClick={() => ask("keep")}
            >
              {t(at ? "compose.schedule" : "compose.keep")}
            </button>
          )}
          {!at && (
            <button className="button main" disabled={off}>
              {t(edit ? "compose.save" : "compose.post")}
            </button>
          )}
        </div>
        {emoji && (
          <Emoji onPick={insert} onClose={() => (setEmoji(false), area.current?.focus())} />
        )}
      </div>
    </form>
  );
}

function Plain({ content }: { content: string }) {
  return <p style={{ whiteSpace: "pre-wrap" }}>{content}</p>;
}
