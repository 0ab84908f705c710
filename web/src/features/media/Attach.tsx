import "../../i18n/media";
import "../../styles/media.css";
import { ArrowLeft, ArrowRight, ImagePlus, RotateCw, X } from "lucide-react";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { HibanaError } from "../../lib/api";
import { sentence } from "../../lib/failures";
import { Refused } from "./transfer";
import {
  add,
  describe,
  Late,
  limits,
  move,
  remove,
  retry,
  Unfit,
  useAttached,
  type Attached,
  type Refusal,
} from "./uploads";
import { Gauge } from "../../ui/Gauge";

const own = "application/x-hibana-picture"; // what is dragged within the list

/** The button that picks files, with pasting and dropping anywhere on the page. */
export function Picker({
  shelf,
  say,
  disabled,
}: {
  shelf: string;
  say: (what: Said) => void;
  disabled: boolean;
}) {
  const { t } = useTranslation("media");
  const field = useRef<HTMLInputElement>(null);
  const take = (files: readonly File[]) => {
    if (files.length > 0 && !disabled) say(add(shelf, files));
  };
  const bring = useEffectEvent(take);
  useEffect(() => {
    const ends = new AbortController();
    const { signal } = ends;
    const files = (of: DataTransfer | null) => [...(of?.files ?? [])];
    addEventListener(
      "paste",
      (event) => {
        // A copied part of a page may have a picture beside its text: then the text is meant.
        const found = files(event.clipboardData);
        if (found.length === 0 || event.clipboardData?.types.includes("text/plain")) return;
        // What is pasted into another field is for that field.
        const at = event.target instanceof Element ? event.target : null;
        if (at?.matches("input, textarea") && !at.closest("form")?.contains(field.current)) return;
        event.preventDefault();
        bring(found);
      },
      { signal },
    );
    let inside = 0;
    const over = (is: boolean) => void document.body.classList.toggle("dropping", is);
    const carries = (event: DragEvent) =>
      event.dataTransfer?.types.includes("Files") && !event.dataTransfer.types.includes(own);
    addEventListener("dragenter", (event) => carries(event) && over(++inside > 0), { signal });
    addEventListener("dragleave", (event) => carries(event) && over(--inside > 0), { signal });
    addEventListener("dragover", (event) => carries(event) && event.preventDefault(), { signal });
    addEventListener(
      "drop",
      (event) => {
        over(false);
        inside = 0;
        if (!carries(event)) return;
        event.preventDefault();
        bring(files(event.dataTransfer));
      },
      { signal },
    );
    return () => (ends.abort(), over(false));
  }, []);
  return (
    <>
      <button
        type="button"
        className="icon"
        disabled={disabled}
        aria-label={t("attach.pick")}
        title={t("attach.pick")}
        onClick={() => field.current?.click()}
      >
        <ImagePlus size={20} aria-hidden="true" />
      </button>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={limits.types.join()}
        data-testid="files"
        onChange={(event) => {
          take([...(event.target.files ?? [])]);
          event.target.value = ""; // the same file can be picked again
        }}
      />
    </>
  );
}

/** What happened to files that somebody added. */
export interface Said {
  added: number;
  refused: Refusal[];
}

/** The files of a tweet that is being written: where they are, what they show, and their order. */
export default function Attach({ shelf, said }: { shelf: string; said: Said | undefined }) {
  const { t, i18n } = useTranslation("media");
  const files = useAttached(shelf);
  const [news, setNews] = useState("");
  const [dragged, drag] = useState<string>();
  const [over, setOver] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const size = (bytes: number) =>
    new Intl.NumberFormat(i18n.language, {
      style: "unit",
      unit: "megabyte",
      maximumFractionDigits: 1,
    }).format(bytes / 2 ** 20);
  const sentenceOf = (one: Refusal) =>
    one.why === "many"
      ? t("attach.many", { count: limits.pictures })
      : t(`attach.${one.why}`, { name: one.name, has: size(one.has), most: size(one.most) });
  // The focus stays on the button that moved the picture, and goes to the other one at an end.
  const shift = (key: string, to: number, button: "earlier" | "later") => {
    const at = move(shelf, key, to);
    setNews(t("attach.moved", { at: at + 1, of: files.length }));
    requestAnimationFrame(() => {
      const row = list.current?.querySelector(`[data-key="${key}"]`);
      const wanted = row?.querySelector<HTMLButtonElement>(`.${button}:not(:disabled)`);
      (wanted ?? row?.querySelector<HTMLButtonElement>(".move:not(:disabled)"))?.focus();
    });
  };
  const drop = (key: string, at: number) => {
    remove(shelf, key);
    setNews(t("attach.removed", { count: files.length - 1 }));
    requestAnimationFrame(() => {
      const rows = [...(list.current?.children ?? [])];
      const next = rows[Math.min(at, rows.length - 1)];
      const focus = next?.querySelector("textarea") ?? document.querySelector(".compose textarea");
      if (focus instanceof HTMLElement) focus.focus();
    });
  };
  return (
    <>
      {said && said.refused.length > 0 && (
        <div className="notice" role="alert">
          <ul>
            {said.refused.map((one, n) => (
              <li key={n}>{sentenceOf(one)}</li>
            ))}
          </ul>
        </div>
      )}
      <p className="hidden" role="status">
        {news || (said && said.added > 0 ? t("attach.added", { count: said.added }) : "")}
      </p>
      {files.length > 0 && (
        <ul
          className="attached"
          ref={list}
          aria-label={t(files[0]!.video ? "attach.listVideo" : "attach.list")}
        >
          {files.map((file, n) => (
            <li
              key={file.key}
              data-key={file.key}
              className={over === file.key && dragged !== file.key ? "over" : undefined}
              onDragOver={(event) => {
                if (!dragged) return;
                event.preventDefault();
                setOver(file.key);
              }}
              onDrop={(event) => {
                if (!dragged) return;
                event.preventDefault();
                setNews(t("attach.moved", { at: move(shelf, dragged, n) + 1, of: files.length }));
                drag(undefined);
                setOver(undefined);
              }}
            >
              <Thumb
                file={file}
                label={
                  file.video ? t("attach.video") : t("attach.name", { at: n + 1, of: files.length })
                }
                onDragStart={(event) => {
                  event.dataTransfer.setData(own, file.key);
                  event.dataTransfer.effectAllowed = "move";
                  drag(file.key);
                }}
                onDragEnd={() => (drag(undefined), setOver(undefined))}
              />
              <Alt value={file.alt ?? ""} onChange={(alt) => describe(shelf, file.key, alt)} />
              <div className="foot">
                <Progress file={file} />
                {file.state === "failed" && retriable(file.failure) && (
                  <button
                    type="button"
                    className="button small"
                    onClick={() => retry(shelf, file.key)}
                  >
                    <RotateCw size={16} aria-hidden="true" />
                    {t("attach.retry")}
                  </button>
                )}
                {files.length > 1 && (
                  <>
                    <button
                      type="button"
                      className="icon move earlier"
                      disabled={n === 0}
                      aria-label={t("attach.earlier")}
                      title={t("attach.earlier")}
                      onClick={() => shift(file.key, n - 1, "earlier")}
                    >
                      <ArrowLeft size={18} aria-hidden="true" />
                    </button>
                    <button
                      type="button"
                      className="icon move later"
                      disabled={n === files.length - 1}
                      aria-label={t("attach.later")}
                      title={t("attach.later")}
                      onClick={() => shift(file.key, n + 1, "later")}
                    >
                      <ArrowRight size={18} aria-hidden="true" />
                    </button>
                  </>
                )}
                <button
                  type="button"
                  className="icon"
                  aria-label={t(going(file) ? "attach.cancel" : "attach.remove")}
                  title={t(going(file) ? "attach.cancel" : "attach.remove")}
                  onClick={() => drop(file.key, n)}
                >
                  <X size={18} aria-hidden="true" />
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const going = ({ state }: Attached) => state === "sending" || state === "waiting";

// What the API found in a file, it finds again.
const retriable = (failure: unknown) =>
  !(failure instanceof Unfit) && !(failure instanceof HibanaError && failure.status === 404);

function Thumb({
  file: { preview, video, state, sent },
  label,
  onDragStart,
  onDragEnd,
}: {
  file: Attached;
  label: string;
  onDragStart: (event: React.DragEvent) => void;
  onDragEnd: () => void;
}) {
  return (
    <div className="thumb" draggable onDragStart={onDragStart} onDragEnd={onDragEnd}>
      {preview &&
        (video ? (
          <video src={preview} muted playsInline preload="metadata" aria-label={label} />
        ) : (
          <img src={preview} alt={label} draggable={false} />
        ))}
      {state !== "ready" && state !== "failed" && (
        <span className={state === "processing" ? "turning" : undefined} aria-hidden="true">
          <Gauge part={state === "processing" ? 0.25 : Math.max(0.02, sent)} text="" />
        </span>
      )}
    </div>
  );
}

/** What becomes of a file, in words. */
function Progress({ file }: { file: Attached }) {
  const { t, i18n } = useTranslation("media");
  if (file.state === "failed")
    return (
      <span className="muted" role="alert">
        {file.failure instanceof HibanaError && file.failure.status === 404
          ? t("attach.lost")
          : file.failure instanceof Late
            ? t("attach.late")
            : file.failure instanceof Refused
              ? t("attach.failed")
              : sentence(file.failure)}
      </span>
    );
  const percent = new Intl.NumberFormat(i18n.language, {
    style: "percent",
    maximumFractionDigits: 0,
  }).format(file.sent);
  return (
    <span className="muted">
      {file.state === "sending" ? t("attach.sending", { percent }) : t(`attach.${file.state}`)}
    </span>
  );
}

/** A description: asked for, and not demanded. */
export function Alt({ value, onChange }: { value: string; onChange: (alt: string) => void }) {
  const { t } = useTranslation("media");
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className={value.trim() ? undefined : "hint"}>
        {t(value.trim() ? "attach.describe" : "attach.hint")}
      </label>
      <textarea
        id={id}
        className="input"
        rows={2}
        value={value}
        maxLength={limits.alt}
        placeholder={t("attach.hintWhy", { count: limits.alt })}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
