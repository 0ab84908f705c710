import { SendHorizontal, X } from "lucide-react";
import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "../../lib/speech";
import { useGrowing } from "../../lib/growing";
import { blank, useDraft } from "../posts/drafts";
import { tell } from "../../lib/failures";
import { limits, nameOf, type Conversation, type Message } from "./messages";
import { add, hasRoom } from "./outbox";
import { useMe } from "../../lib/session";
import { bringBack, clear, give, saveAlts, useAttached } from "../media/uploads";
import type { Said } from "../media/Attach";

const Attach = lazy(() => import("../media/Attach"));
const Picker = lazy(() => import("../media/Attach").then(({ Picker }) => ({ default: Picker })));

/** Where one writes: a text with pictures, as an answer if one was chosen. */
export function MessageForm({
  conversation,
  replyTo,
  onReply,
  onSent,
}: {
  conversation: Conversation;
  replyTo: Message | undefined;
  onReply: (message: Message | undefined) => void;
  onSent: () => void;
}) {
  const { t } = useTranslation("messages");
  const me = useMe();
  const { id, members, pair } = conversation;
  const shelf = `${me?.id}.message.${id}`;
  const [draft, set, drop] = useDraft(shelf, blank);
  const area = useRef<HTMLTextAreaElement>(null);
  useGrowing(area, draft.content);
  const [said, say] = useState<Said>();
  const [due, setDue] = useState(false);
  useState(() => bringBack(shelf, draft.media ?? []));
  const files = useAttached(shelf);
  const broken = files.some(({ state }) => state === "failed");
  const going = files.some(({ state }) => state !== "ready" && state !== "failed");
  const left = limits.text - [...draft.content].length;
  const nothing = (draft.content.trim() === "" && files.length === 0) || left < 0;
  // Somebody who has not accepted gets no pictures.
  const plain = pair && members.some((one) => one.id !== me?.id && one.state === "requested");

  // A reload keeps the files whose bytes are there.
  const there = files.flatMap(({ id, alt, video, state }) =>
    id && (state === "processing" || state === "ready") ? [{ id, alt, video }] : [],
  );
  const changed = JSON.stringify(there) !== JSON.stringify(draft.media ?? []);
  const note = useEffectEvent(() => set({ media: there }));
  useEffect(() => {
    if (changed) note();
  }, [changed]);

  useEffect(() => {
    if (replyTo) area.current?.focus();
  }, [replyTo]);

  // The field is empty at once: what is typed next is the next message.
  const post = useEffectEvent(() => {
    if (nothing) return; // was sent while it waited
    if (!hasRoom()) return tell(new Error("too many messages wait"));
    const mediaIds = files.map((file) => file.id!);
    give(shelf);
    drop(
      add(
        { conversationId: id, text: draft.content.trim(), mediaIds, replyTo: replyTo?.id },
        draft.key,
      ),
    );
    clear(shelf);
    say(undefined);
    onReply(undefined);
    onSent();
    area.current?.focus();
  });
  const send = useEffectEvent(() => saveAlts(shelf).then(post, tell));
  // What is sent waits for the files; without files it is sent before the next key is pressed.
  useLayoutEffect(() => {
    if (!due || (going && !broken)) return;
    setDue(false);
    if (!broken) void send();
  }, [due, going, broken]);
  const ask = () => {
    if (!nothing) setDue(true);
  };
  const author =
    replyTo &&
    (replyTo.authorId === me?.id
      ? t("you")
      : nameOf(members.find((one) => one.id === replyTo.authorId)));
  return (
    <form className="writing" onSubmit={(event) => (event.preventDefault(), ask())}>
      {replyTo && (
        <div className="answering">
          <p>
            <strong>{t("write.reply", { name: author ?? "" })}</strong>
            <span dir="auto">{replyTo.text || t("picture")}</span>
          </p>
          <button
            type="button"
            className="icon"
            aria-label={t("write.noReply")}
            title={t("write.noReply")}
            onClick={() => (onReply(undefined), area.current?.focus())}
          >
            <X size={18} aria-hidden="true" />
          </button>
        </div>
      )}
      {(files.length > 0 || said) && (
        <div className="pictured">
          <Suspense>
            <Attach shelf={shelf} said={said} />
          </Suspense>
        </div>
      )}
      {broken && (
        <p className="notice" role="alert">
          {t("write.broken")}
        </p>
      )}
      {due && (
        <p className="notice" role="status">
          {t("write.until")}
          <button type="button" className="button small" onClick={() => setDue(false)}>
            {t("write.stop")}
          </button>
        </p>
      )}
      {left < 200 && (
        <p className="muted" role="status">
          {t("write.left", { count: left })}
        </p>
      )}
      <div className="line">
        {!plain && (
          <Suspense fallback={<span className="icon" />}>
            <Picker shelf={shelf} say={say} disabled={due} />
          </Suspense>
        )}
        <textarea
          ref={area}
          className="input"
          rows={1}
          dir="auto"
          value={draft.content}
          aria-label={t("write.label")}
          placeholder={t("write.label")}
          onChange={(event) => set({ content: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            // The keyboard of a phone has no other key for a new line.
            if (matchMedia("(pointer: coarse)").matches && !event.ctrlKey && !event.metaKey) return;
            event.preventDefault();
            ask();
          }}
        />
        <button
          className="icon send"
          aria-label={t("write.send")}
          title={t("write.send")}
          disabled={nothing || due}
        >
          <SendHorizontal size={20} aria-hidden="true" className="onwards" />
        </button>
      </div>
    </form>
  );
}
