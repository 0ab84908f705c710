import { useEffect, useEffectEvent, useRef, useState, type ComponentType } from "react";
import { useTranslation } from "../../lib/speech";
import type { Tweet } from "../../lib/api";
import { tell } from "../../lib/failures";
import { focus } from "../../lib/focus";
import { useOverlay } from "../../lib/overlays";
import { useMe } from "../../lib/session";
import { Avatar } from "../../ui/Avatar";
import { keptText } from "./drafts";

interface Form {
  replyTo?: Tweet | undefined;
  early: { text: string; files: File[] };
  onClose: () => void;
}

// The form comes with the first focus.
let Sheet: ComponentType<Form> | undefined;
const load = async () => (Sheet ??= (await import("./compose/Sheet")).default);

const carries = (data: DataTransfer | null) => data?.types.includes("Files") ?? false;

/**
 * A line in a page, which becomes the form to write in: a new tweet, or a reply. It shows what was
 * begun before.
 */
export default function InPlace({ replyTo }: { replyTo?: Tweet }) {
  const { t } = useTranslation();
  const me = useMe();
  const [opened, setOpened] = useState(false);
  const [loaded, setLoaded] = useState(Sheet !== undefined);
  const early = useRef({ text: "", files: [] as File[] });
  const line = useRef<HTMLButtonElement>(null);
  const returns = useRef(false);
  // A window to write in may be about the same draft.
  const covered = useOverlay()?.kind === "compose";
  if (covered && opened) setOpened(false);
  const open = () => {
    setOpened(true);
    load().then(
      () => setLoaded(true),
      (failure) => (setOpened(false), tell(failure)),
    );
  };
  const close = () => {
    returns.current = true;
    setOpened(false);
  };
  useEffect(() => {
    if (!opened && returns.current) line.current?.focus();
    returns.current = false;
  }, [opened]);
  const answer = replyTo !== undefined;
  const write = useEffectEvent((event: Event) => {
    event.preventDefault();
    if (!opened) open();
    else document.querySelector<HTMLElement>(".inplace textarea")?.focus();
  });
  useEffect(() => {
    if (answer) return;
    const hear = (event: Event) => {
      if (location.pathname === "/") write(event); // else home is about to go
    };
    addEventListener("hibana-write", hear);
    return () => removeEventListener("hibana-write", hear);
  }, [answer]);
  const bring = (data: DataTransfer | null, event: React.SyntheticEvent) => {
    const files = [...(data?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    early.current.files.push(...files);
    open();
  };

  const words = replyTo
    ? t("compose.reply", { name: `@${replyTo.author.username}` })
    : t("compose.placeholder");
  if (!me) return <div className="inplace" />;
  const kept = keptText(replyTo ? `${me.id}.reply.${replyTo.id}` : `${me.id}.new`).trim();
  if (opened && loaded && Sheet)
    return (
      <section
        className="inplace"
        aria-label={words}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.defaultPrevented) return;
          event.preventDefault();
          close();
        }}
      >
        <Sheet replyTo={replyTo} early={early.current} onClose={close} />
      </section>
    );
  return (
    <div
      className="inplace"
      onDragEnter={(event) => carries(event.dataTransfer) && void load().catch(() => undefined)}
      onDragOver={(event) => carries(event.dataTransfer) && event.preventDefault()}
      onDrop={(event) => bring(event.dataTransfer, event)}
      onPaste={(event) => bring(event.clipboardData, event)}
    >
      {opened ? (
        <textarea
          className="inplaceline"
          ref={focus}
          rows={1}
          aria-label={words}
          placeholder={words}
          onChange={(event) => (early.current.text = event.target.value)}
        />
      ) : (
        <button ref={line} type="button" className="inplaceline" onClick={open}>
          <Avatar of={me} size="small" />
          {kept && <span className="hidden">{words}: </span>}
          <span dir="auto" className={kept ? "words" : "words muted"}>
            {kept.slice(0, 100) || words}
          </span>
        </button>
      )}
    </div>
  );
}
