import "../../i18n/held";
import { useQuery } from "@tanstack/react-query";
import { ChartBar, Eye, PencilLine, SlidersHorizontal, TriangleAlert } from "lucide-react";
import {
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../lib/toast";
import { useLocation } from "wouter";
import { body, hibana, HibanaError, queries, type Schemas, type Tweet } from "../../lib/api";
import { blank, policies, useDraft, type Draft, type Policy } from "./drafts";
import { sentence } from "../../lib/failures";
import { reader } from "../../lib/firebase";
import { useMe } from "../../lib/session";
import { bringBack, clear, give, saveAlts, useAttached } from "../media/uploads";
import { patch } from "../../lib/shadow";
import { arrived, readTweet } from "./tweets";
import { named } from "../media/media";
import { cut } from "../../lib/words";
import Attach, { Alt, Picker, type Said } from "../media/Attach";
import { Avatar } from "../../ui/Avatar";
import { Dialog } from "../../ui/Dialog";
import { Gauge } from "../../ui/Gauge";
import { Loading } from "../../ui/states";
import { Toggle } from "../../ui/Toggle";

type Kept = Schemas["Draft"];

// Without the network the text stays as it was written.
const Preview = lazy(() => import("./Preview").catch(() => ({ default: Plain })));

const longest = 65_535;
const comfortable = 280; // characters that lists show

interface Props {
  replyTo?: Tweet | undefined;
  quoteOf?: Tweet | undefined;
  edit?: Tweet | undefined;
  /** A draft that the API keeps. */
  draft?: Kept | undefined;
  onClose: () => void;
}

/** The window in which tweets are written and edited. */
export default function Compose({ replyTo, quoteOf, edit, draft, onClose }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const title = edit
    ? t("compose.edit")
    : replyTo
      ? t("compose.reply", { name: replyTo.author.nickname })
      : quoteOf
        ? t("compose.quote", { name: quoteOf.author.nickname })
        : t("compose.title");
  // The text of a tweet that is edited, with the tag that tells whether somebody else edited it
  // meanwhile.
  const whole = useQuery({
    queryKey: ["edited", edit?.id],
    enabled: Boolean(edit),
    gcTime: 0,
    staleTime: Infinity,
    meta: { keep: false },
    queryFn: async () => {
      const { data, response } = await hibana.GET("/v1/tweets/{id}", {
        params: { path: { id: edit!.id } },
      });
      return { tweet: data!, tag: response.headers.get("ETag") ?? "" };
    },
  });
  return (
    <Dialog title={title} onClose={onClose} plain>
      {edit && whole.isError && (
        <p className="notice" role="alert">
          {sentence(whole.error)}
        </p>
      )}
      {me && (!edit || whole.data) && (
        <Sheet
          replyTo={replyTo}
          quoteOf={quoteOf}
          edit={whole.data}
          kept={draft}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface SheetProps {
  replyTo?: Tweet | undefined;
  quoteOf?: Tweet | undefined;
  edit?: { tweet: Tweet; tag: string } | undefined;
  kept?: Kept | undefined;
  onClose: () => void;
}

function Sheet({ replyTo, quoteOf, edit, kept, onClose }: SheetProps) {
  const { t, i18n } = useTranslation(["translation", "media", "held"]);
  const me = useMe();
  const [, go] = useLocation();
  const name = `${me?.id}.${kept ? `kept.${kept.id}.${kept.revision}` : edit ? `edit.${edit.tweet.id}.${edit.tweet.revision}` : replyTo ? `reply.${replyTo.id}` : quoteOf ? `quote.${quoteOf.id}` : "new"}`;
  const [draft, set, drop] = useDraft(name, () =>
    kept
      ? ofKept(kept)
      : edit
        ? of(edit.tweet)
        : { ...blank(), visibility: replyTo?.visibility ?? "public" },
  );
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [revision, setRevision] = useState(kept?.revision ?? 0);
  const [preview, setPreview] = useState(false);
  const [at, setAt] = useState(kept?.publishAt ? local(kept.publishAt) : "");
  const [options, setOptions] = useState(at !== "");
  const [warned, setWarned] = useState(draft.summary !== "");
  const [due, setDue] = useState<"post" | "keep">();
  const [said, say] = useState<Said>();
  const area = useRef<HTMLTextAreaElement>(null);
  const left = longest - [...draft.content].length;
  useState(() => !edit && bringBack(name, draft.media ?? []));
  const files = useAttached(name);
  const nothing =
    (draft.content.trim() === "" && files.length === 0 && !edit?.tweet.media?.length) || left < 0;
  const broken = files.some(({ state }) => state === "failed");
  const going = files.some(({ state }) => state !== "ready" && state !== "failed");

  // A reload keeps the files whose bytes are there.
  const there = files.flatMap(({ id, alt, video, state }) =>
    id && (state === "processing" || state === "ready") ? [{ id, alt, video }] : [],
  );
  const changed = !edit && JSON.stringify(there) !== JSON.stringify(draft.media ?? []);
  const note = useEffectEvent(() => set({ media: there }));
  useEffect(() => {
    if (changed) note();
  }, [changed]);

  // What is sent waits for the files: here, so that whoever waits can still write, or think again.
  const ask = (what: "post" | "keep") => {
    if (sending || nothing) return;
    setFailure(undefined);
    setDue(what);
  };
  const ready = useEffectEvent((what: "post" | "keep") => void (what === "post" ? send() : keep()));
  useEffect(() => {
    if (!due || (going && !broken)) return;
    setDue(undefined);
    if (broken) setFailure("files");
    else ready(due);
  }, [due, going, broken]);

  const send = async () => {
    setSending(true);
    const { content, summary, visibility, replyPolicy, allowLikes, quotePolicy } = draft;
    const text = {
      content,
      summary: warned ? summary : "",
      visibility,
      replyPolicy,
      allowLikes,
      quotePolicy,
    };
    const poll = asked(draft.poll);
    const media = files.map(({ id }) => id!);
    try {
      await saveAlts(name);
      give(name);
      if (edit) {
        const tweet = await body(
          hibana.PATCH("/v1/tweets/{id}", {
            params: { path: { id: edit.tweet.id }, header: { "If-Match": edit.tag } },
            body: { ...text, ...retold(edit.tweet, draft) },
          }),
        );
        patch<Tweet>(tweet.id, "edited", (t) => ({
          ...t,
          ...tweet,
          snippetHtml: undefined,
          html: undefined,
        }));
        void queries.invalidateQueries({
          predicate: ({ queryKey }) =>
            ["tweet", "thread", "home", "authored", "revisions"].includes(String(queryKey[0])),
        });
        toast.success(t("compose.saved"));
      } else {
        if (kept)
          await replace(kept, {
            ...text,
            poll,
            media,
            replyTo: kept.replyTo,
            quoteOf: kept.quoteOf,
          });
        const tweet = await (kept
          ? body(hibana.POST("/v1/drafts/{id}/publish", { params: { path: { id: kept.id } } }))
          : body(
              hibana.POST("/v1/tweets", {
                params: { header: { "Idempotency-Key": draft.key } },
                body: {
                  ...text,
                  poll,
                  media,
                  replyTo: replyTo?.id ?? null,
                  quoteOf: quoteOf?.id ?? null,
                },
              }),
            ));
        void queries.invalidateQueries({ queryKey: ["drafts"] });
        if ("held" in tweet) {
          void queries.invalidateQueries({ queryKey: ["held"] });
          toast.success(t("held:sent"), {
            duration: 10_000,
            action: { label: t("compose.show"), onClick: () => go("/held") },
          });
        } else {
          void readTweet(tweet.id)
            .catch(() => tweet)
            .then(async (read) => (await reader()) === read.authorId && arrived(read)); // with its text rendered
          toast.success(t("compose.posted"), {
            duration: 10_000,
            action: { label: t("compose.show"), onClick: () => go(`/tweets/${tweet.id}`) },
          });
        }
      }
      clear(name);
      drop();
      onClose();
    } catch (problem) {
      setFailure(problem);
      setSending(false);
    }
  };

  // Replaces a draft that the API keeps, unless it was changed elsewhere. What this window does not
  // show stays.
  const replace = async (kept: Kept, text: Schemas["NewDraft"]) => {
    const { tags, language } = kept;
    const after = await body(
      hibana.PUT("/v1/drafts/{id}", {
        params: { path: { id: kept.id }, header: { "If-Match": `"${revision}"` } },
        body: { ...text, tags, ...(language ? { language } : {}) },
      }),
    );
    setRevision(after.revision);
  };
  // What the API keeps is for the next time, on any device; with a time it is posted by itself.
  const keep = async () => {
    setSending(true);
    const { content, summary, visibility, replyPolicy, allowLikes, quotePolicy } = draft;
    const text = {
      content,
      summary: warned ? summary : "",
      visibility,
      replyPolicy,
      allowLikes,
      quotePolicy,
      publishAt: at ? new Date(at).toISOString() : null,
      poll: asked(draft.poll),
      media: files.map(({ id }) => id!),
      replyTo: kept?.replyTo ?? replyTo?.id ?? null,
      quoteOf: kept?.quoteOf ?? quoteOf?.id ?? null,
    };
    try {
      await saveAlts(name);
      give(name);
      if (kept) await replace(kept, text);
      else
        await hibana.POST("/v1/drafts", {
          params: { header: { "Idempotency-Key": draft.key } },
          body: text,
        });
      toast.success(t(at ? "compose.scheduled" : "compose.kept"));
      await queries.invalidateQueries({ queryKey: ["drafts"] });
      clear(name);
      drop();
      onClose();
    } catch (problem) {
      setFailure(problem);
      setSending(false);
    }
  };

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
            <button type="button" className="button small" onClick={() => setDue(undefined)}>
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

function of(tweet: Tweet): Draft {
  const { content = "", summary, visibility, replyPolicy, allowLikes, quotePolicy } = tweet;
  return { content, summary, visibility, replyPolicy, allowLikes, quotePolicy, key: tweet.id };
}

function ofKept({
  content,
  summary,
  visibility = "public",
  replyPolicy,
  allowLikes,
  quotePolicy,
  poll,
  media = [],
}: Kept): Draft {
  return {
    content,
    summary,
    visibility,
    replyPolicy,
    allowLikes,
    quotePolicy,
    poll,
    media: media.map((id) => ({ id, video: false })),
    key: crypto.randomUUID(),
  };
}

// The descriptions that an edit changes.
function retold({ media = [] }: Tweet, draft: Draft): { media?: { id: string; alt: string }[] } {
  const changed = (draft.media ?? [])
    .map(({ id, alt = "" }) => ({ id, alt: alt.trim() }))
    .filter(({ id, alt }) => media.some((one) => one.id === id && one.alt !== alt));
  return changed.length > 0 ? { media: changed } : {};
}

/** The pictures of a tweet that is edited: their descriptions can change, and nothing else. */
function Retell({
  tweet: { media = [] },
  media: changed = [],
  onChange,
}: {
  tweet: Tweet;
  media: Draft["media"];
  onChange: (media: NonNullable<Draft["media"]>) => void;
}) {
  const alts = media.map(({ id, alt, type }) => ({
    id,
    alt: changed.find((one) => one.id === id)?.alt ?? alt,
    video: type === "video",
  }));
  if (media.length === 0) return null;
  return (
    <ul className="attached">
      {media.map((one, n) => (
        <li key={one.id}>
          <div className="thumb">
            {one.type === "video" ? (
              <video src={one.urls.original} muted playsInline preload="metadata" />
            ) : (
              <img src={one.urls.small} alt="" />
            )}
          </div>
          <Alt
            value={alts[n]!.alt}
            onChange={(alt) => onChange(alts.map((all, m) => (m === n ? { ...all, alt } : all)))}
          />
        </li>
      ))}
    </ul>
  );
}

/** Who may reply, or quote. */
function Policies({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Policy;
  onChange: (policy: Policy) => void;
}) {
  const { t } = useTranslation();
  return (
    <label className="field">
      <span>{label}</span>
      <select
        className="input"
        value={value}
        onChange={(event) => onChange(event.target.value as Policy)}
      >
        {policies.map((who) => (
          <option key={who} value={who}>
            {t(`tweet.policy.${who}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

// Empty fields are no options.
function asked(poll: Draft["poll"]): Draft["poll"] {
  return poll && { ...poll, options: poll.options.map((text) => text.trim()).filter(Boolean) };
}

/** The options of a poll, four at most, and how long it lasts. */
function PollFields({
  poll,
  onChange,
}: {
  poll: NonNullable<Draft["poll"]>;
  onChange: (poll: Draft["poll"]) => void;
}) {
  const { t } = useTranslation();
  const fields =
    poll.options.length < 4 && poll.options.every(Boolean) ? [...poll.options, ""] : poll.options;
  return (
    <fieldset className="field" style={{ border: 0, padding: 0, margin: 0, gap: "var(--space-2)" }}>
      {fields.map((text, n) => (
        <input
          key={n}
          className="input"
          value={text}
          maxLength={80}
          aria-label={t("poll.option", { number: n + 1 })}
          placeholder={t("poll.option", { number: n + 1 })}
          onChange={(event) =>
            onChange({
              ...poll,
              options: fields.map((other, m) => (m === n ? event.target.value : other)),
            })
          }
        />
      ))}
      <label className="field">
        <span>{t("poll.lasts")}</span>
        <select
          className="input"
          value={poll.minutes}
          onChange={(event) => onChange({ ...poll, minutes: Number(event.target.value) })}
        >
          <option value={60}>{t("poll.hour")}</option>
          <option value={1440}>{t("poll.day")}</option>
          <option value={4320}>{t("poll.days")}</option>
          <option value={10080}>{t("poll.week")}</option>
        </select>
      </label>
    </fieldset>
  );
}

// The reader's time in the form of the field.
function local(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

// A reply goes to no more people than what it answers.
function narrower(than: Draft["visibility"]): Draft["visibility"][] {
  const all: Draft["visibility"][] = ["public", "unlisted", "followers", "mentioned"];
  return all.slice(all.indexOf(than));
}

function Plain({ content }: { content: string }) {
  return <p style={{ whiteSpace: "pre-wrap" }}>{content}</p>;
}

/** The text area, which completes tags and names. */
function Writing({
  area,
  value,
  onChange,
  onSend,
}: {
  area: React.RefObject<HTMLTextAreaElement | null>;
  value: string;
  onChange: (value: string) => void;
  onSend: () => void;
}) {
  const { t } = useTranslation();
  const me = useMe();
  const list = useId();
  const [word, setWord] = useState("");
  const [at, setAt] = useState(0);
  const begin = useEffectEvent(() => {
    const field = area.current;
    field?.focus();
    field?.setSelectionRange(value.length, value.length);
  });
  useEffect(() => begin(), []);
  const asked = useDeferredValue(word);
  const own = useQuery({
    queryKey: ["ownTags", me?.id],
    enabled: Boolean(me) && asked.startsWith("#"),
    staleTime: 5 * 60_000,
    queryFn: () =>
      body(
        hibana.GET("/v1/users/{uid}/tags", {
          params: { path: { uid: me!.id }, query: { pageSize: 50 } },
        }),
      ),
  });
  const popular = useQuery({
    queryKey: ["tags", "tweetCount"],
    enabled: asked.startsWith("#"),
    staleTime: 5 * 60_000,
    queryFn: () => body(hibana.GET("/v1/tags", { params: { query: { pageSize: 50 } } })),
  });
  const people = useQuery({
    queryKey: ["complete", asked],
    enabled: asked.startsWith("@") && asked.length > 1,
    staleTime: 60_000,
    meta: { keep: false },
    queryFn: () =>
      body(
        hibana.GET("/v1/search/users", { params: { query: { q: asked.slice(1), pageSize: 5 } } }),
      ),
  });
  const found = asked.startsWith("#")
    ? [
        ...new Map(
          [...(own.data?.items ?? []), ...(popular.data?.items ?? [])].map((tag) => [
            tag.name,
            tag,
          ]),
        ).values(),
      ]
        .filter((tag) => tag.name.startsWith(asked.slice(1).toLowerCase()))
        .slice(0, 5)
        .map((tag) => ({ text: `#${tag.content}`, hint: String(tag.tweetCount) }))
    : (people.data?.items ?? []).map((user) => ({
        text: `@${user.username}`,
        hint: user.nickname,
      }));
  const offered = word.length > 1 || word === "#" ? found : [];

  const look = (field: HTMLTextAreaElement) => {
    setWord(
      /(?:^|\s)([#@][\p{L}\p{N}_]*)$/u.exec(field.value.slice(0, field.selectionStart))?.[1] ?? "",
    );
    setAt(0);
  };
  const take = (text: string) => {
    const field = area.current!;
    const caret = field.selectionStart;
    const begin = caret - word.length;
    onChange(`${value.slice(0, begin)}${text} ${value.slice(caret)}`);
    setWord("");
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(begin + text.length + 1, begin + text.length + 1);
    });
  };
  return (
    <div>
      <textarea
        ref={area}
        value={value}
        placeholder={t("compose.placeholder")}
        aria-label={t("compose.title")}
        rows={4}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={offered.length > 0 ? `${list}-${at}` : undefined}
        onChange={(event) => (onChange(event.target.value), look(event.target))}
        onClick={(event) => look(event.currentTarget)}
        onBlur={() => setTimeout(() => setWord(""), 150)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            return (event.preventDefault(), onSend());
          if (offered.length === 0 || event.nativeEvent.isComposing) return;
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            setAt((at + (event.key === "ArrowDown" ? 1 : offered.length - 1)) % offered.length);
          } else if (event.key === "Enter" || event.key === "Tab") {
            event.preventDefault();
            take(offered[at]!.text);
          } else if (event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
            setWord("");
          }
        }}
      />
      <ul
        className={offered.length > 0 ? "complete" : ""}
        id={list}
        role="listbox"
        aria-label={t("compose.tags")}
      >
        {offered.map((offer, n) => (
          <li
            key={offer.text}
            id={`${list}-${n}`}
            role="option"
            aria-selected={n === at}
            onMouseDown={(event) => (event.preventDefault(), take(offer.text))}
          >
            <strong>{offer.text}</strong>
            <span className="muted">{offer.hint}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
