import "../../../i18n/held";
import { ChartBar, Eye, PencilLine, SlidersHorizontal, TriangleAlert } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { HibanaError } from "../../../lib/api";
import { sentence } from "../../../lib/failures";
import { useMe } from "../../../lib/session";
import { cut } from "../../../lib/words";
import { Avatar } from "../../../ui/Avatar";
import { Gauge } from "../../../ui/Gauge";
import { Loading } from "../../../ui/states";
import { Toggle } from "../../../ui/Toggle";
import Attach, { Picker, type Said } from "../../media/Attach";
import { named } from "../../media/media";
import type { Draft } from "../drafts";
import { Policies } from "./Policies";
import { PollFields } from "./PollFields";
import { Retell } from "./Retell";
import { narrower, type Subject } from "./subject";
import { longest, useSheet } from "./useSheet";
import { Writing } from "./Writing";

// Without the network the text stays as it was written.
const Preview = lazy(() => import("../Preview").catch(() => ({ default: Plain })));

const comfortable = 280; // characters that lists show

/** The form in which a tweet is written: in the window, and in its place on a page. */
export default function Sheet({ onClose, ...subject }: Subject & { onClose: () => void }) {
  const { t, i18n } = useTranslation(["translation", "media", "held"]);
  const me = useMe();
  const { replyTo, quoteOf, edit } = subject;
  const {
    name,
    draft,
    set,
    at,
    setAt,
    warned,
    setWarned,
    sending,
    failure,
    due,
    ask,
    wait,
    left,
    nothing,
  } = useSheet(subject, onClose);
  const [preview, setPreview] = useState(false);
  const [options, setOptions] = useState(at !== "");
  const [said, say] = useState<Said>();
  const area = useRef<HTMLTextAreaElement>(null);
  const audiences = replyTo
    ? narrower(replyTo.visibility)
    : (["public", "unlisted", "followers", "mentioned"] as const);
  return (
    <form
      className="compose"
      // Where a time was chosen, whatever sends the form schedules it.
      onSubmit={(event) => (event.preventDefault(), ask(at ? "keep" : "post"))}
    >
      {me && <Avatar of={me} />}
      <div style={{ display: "grid", gap: "var(--space-3)" }}>
        {(replyTo ?? quoteOf) && (
          <p className="quoted muted">
            {(replyTo ?? quoteOf)!.summary ||
              cut((replyTo ?? quoteOf)!.snippet, 140) ||
              named((replyTo ?? quoteOf)!.media ?? [])}
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
        {preview ? (
          <Suspense fallback={<Loading rows={1} />}>
            <Preview content={draft.content} />
          </Suspense>
        ) : (
          <Writing
            area={area}
            value={draft.content}
            onChange={(content) => set({ content })}
            onSend={() => ask(at ? "keep" : "post")}
          />
        )}
        {/* What is typed after the descriptions were sent would be lost. */}
        <fieldset className="files" disabled={sending}>
          {edit ? (
            <Retell tweet={edit.tweet} media={draft.media} onChange={(media) => set({ media })} />
          ) : (
            <Attach shelf={name} said={said} />
          )}
        </fieldset>
        {draft.poll && <PollFields poll={draft.poll} onChange={(poll) => set({ poll })} />}
        {options && (
          <div className="field">
            <label className="field">
              <span>{t("compose.audience")}</span>
              <select
                className="input"
                value={draft.visibility}
                onChange={(event) => set({ visibility: event.target.value as Draft["visibility"] })}
              >
                {audiences.map((who) => (
                  <option key={who} value={who}>
                    {t(`tweet.visibility.${who}`)}
                  </option>
                ))}
              </select>
            </label>
            {!edit && (
              <label className="field">
                <span>{t("compose.at")}</span>
                <input
                  className="input"
                  type="datetime-local"
                  value={at}
                  onChange={(event) => setAt(event.target.value)}
                />
              </label>
            )}
            <Policies
              label={t("compose.replyPolicy")}
              value={draft.replyPolicy}
              onChange={(replyPolicy) => set({ replyPolicy })}
            />
            <Policies
              label={t("compose.quotePolicy")}
              value={draft.quotePolicy}
              onChange={(quotePolicy) => set({ quotePolicy })}
            />
            <Toggle
              label={t("compose.allowLikes")}
              on={draft.allowLikes}
              onChange={(allowLikes) => set({ allowLikes })}
            />
          </div>
        )}
        {failure !== undefined && (
          <p className="notice" role="alert">
            {failure === "files"
              ? t("media:attach.broken")
              : failure instanceof HibanaError && failure.status === 412
                ? t("compose.conflict")
                : failure instanceof HibanaError && failure.code === "media_in_use"
                  ? t("media:attach.posted") // perhaps by this window, whose answer was lost
                  : sentence(failure)}
          </p>
        )}
        {due && (
          <p className="notice" role="status">
            {t(due === "post" ? "media:attach.until" : "media:attach.untilKept")}
            <button type="button" className="button small" onClick={wait}>
              {t("media:attach.stop")}
            </button>
          </p>
        )}
        <div className="strip">
          {!edit && <Picker shelf={name} say={say} disabled={sending} />}
          <button
            type="button"
            className="icon"
            aria-pressed={preview}
            aria-label={t(preview ? "compose.write" : "compose.preview")}
            title={t(preview ? "compose.write" : "compose.preview")}
            onClick={() => setPreview(!preview)}
          >
            {preview ? (
              <PencilLine size={20} aria-hidden="true" />
            ) : (
              <Eye size={20} aria-hidden="true" />
            )}
          </button>
          <button
            type="button"
            className="icon"
            aria-pressed={warned}
            aria-label={t("compose.warning")}
            title={t("compose.warning")}
            onClick={() => setWarned(!warned)}
          >
            <TriangleAlert size={20} aria-hidden="true" />
          </button>
          {!edit && (
            <button
              type="button"
              className="icon"
              aria-pressed={draft.poll !== undefined}
              aria-label={t("poll.add")}
              title={t("poll.add")}
              onClick={() =>
                set({ poll: draft.poll ? undefined : { options: ["", ""], minutes: 1440 } })
              }
            >
              <ChartBar size={20} aria-hidden="true" />
            </button>
          )}
          <button
            type="button"
            className="icon"
            aria-expanded={options}
            aria-label={t("compose.options")}
            title={t("compose.options")}
            onClick={() => setOptions(!options)}
          >
            <SlidersHorizontal size={20} aria-hidden="true" />
          </button>
          <span className="push muted" role={left < 200 ? "status" : undefined}>
            {left < 1000 ? (
              t("compose.left", { count: left })
            ) : (
              <Gauge
                part={Math.min(1, (longest - left) / comfortable)}
                text={new Intl.NumberFormat(i18n.language).format(longest - left)}
              />
            )}
          </span>
          {!edit && (
            <button
              type="button"
              className={at ? "button main" : "button"}
              disabled={sending || due !== undefined || nothing}
              onClick={() => ask("keep")}
            >
              {t(at ? "compose.schedule" : "compose.keep")}
            </button>
          )}
          {!at && (
            <button className="button main" disabled={sending || due !== undefined || nothing}>
              {t(edit ? "compose.save" : "compose.post")}
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

function Plain({ content }: { content: string }) {
  return <p style={{ whiteSpace: "pre-wrap" }}>{content}</p>;
}
