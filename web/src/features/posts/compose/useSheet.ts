import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "../../../lib/speech";
import { useLocation } from "wouter";
import { body, hibana, queries, type Schemas } from "../../../lib/api";
import { reader } from "../../../lib/firebase";
import { useMe } from "../../../lib/session";
import { toast } from "../../../lib/toast";
import { bringBack, clear, give, saveAlts, useAttached } from "../../media/uploads";
import { arrived, edited, readTweet } from "../tweets";
import { useDraft } from "../drafts";
import {
  asked,
  audienceOf,
  beginning,
  inTime,
  local,
  nameOf,
  retold,
  type Kept,
  type Subject,
} from "./subject";
import { postKeys } from "../keys";

/** How many characters a tweet has at most. */
export const longest = 65_535;

/** What is written about a subject: its state, and the ways to post it and to keep it. */
export function useSheet(subject: Subject, onClose: () => void) {
  const { t } = useTranslation(["translation", "held"]);
  const me = useMe();
  const [, go] = useLocation();
  const { replyTo, quoteOf, edit, kept } = subject;
  const name = nameOf(me?.id, subject);
  const [draft, set, drop] = useDraft(
    name,
    () => beginning(subject),
    () => clear(name),
  );
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [revision, setRevision] = useState(kept?.revision ?? 0);
  const [at, setAt] = useState(kept?.publishAt ? local(kept.publishAt) : "");
  const [warned, setWarned] = useState(draft.summary !== "");
  const [due, setDue] = useState<"post" | "keep">();
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
    if ((asked(draft.poll)?.options.length ?? 2) < 2) return setFailure("poll");
    if (what === "keep" && at && !inTime(at)) return setFailure("time");
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
    const { content, summary, replyPolicy, allowLikes, quotePolicy, language } = draft;
    const text = {
      content,
      summary: warned ? summary : "",
      ...audienceOf(draft),
      replyPolicy,
      allowLikes,
      quotePolicy,
    };
    const spoken = language ? { language } : {};
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
        edited(tweet);
        const { tweets, threads, home, allAuthored, allRevisions } = postKeys;
        for (const name of [tweets, threads, home, allAuthored, allRevisions])
          void queries.invalidateQueries({ queryKey: name });
        toast.success(t("compose.saved"));
      } else {
        if (kept)
          await replace(kept, {
            ...text,
            ...spoken,
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
                  ...spoken,
                  poll,
                  media,
                  replyTo: replyTo?.id ?? null,
                  quoteOf: quoteOf?.id ?? null,
                },
              }),
            ));
        void queries.invalidateQueries({ queryKey: postKeys.drafts });
        if ("held" in tweet) {
          void queries.invalidateQueries({ queryKey: postKeys.allHeld });
          toast.success(t("held:sent"), {
            duration: 5_000,
            action: { label: t("compose.show"), onClick: () => go("/held") },
          });
        } else {
          void readTweet(tweet.id)
            .catch(() => tweet)
            .then(async (read) => (await reader()) === read.authorId && arrived(read)); // with its text rendered
          toast.success(t("compose.posted"), {
            id: "posted",
            duration: 5_000,
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
    const { tags } = kept;
    const after = await body(
      hibana.PUT("/v1/drafts/{id}", {
        params: { path: { id: kept.id }, header: { "If-Match": `"${revision}"` } },
        body: { ...text, tags },
      }),
    );
    setRevision(after.revision);
  };
  // What the API keeps is for the next time, on any device; with a time it is posted by itself.
  const keep = async () => {
    setSending(true);
    const { content, summary, replyPolicy, allowLikes, quotePolicy, language } = draft;
    const text = {
      content,
      summary: warned ? summary : "",
      ...audienceOf(draft),
      replyPolicy,
      allowLikes,
      quotePolicy,
      ...(language ? { language } : {}),
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
      await queries.invalidateQueries({ queryKey: postKeys.drafts });
      clear(name);
      drop();
      onClose();
    } catch (problem) {
      setFailure(problem);
      setSending(false);
    }
  };
  return {
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
    wait: () => setDue(undefined),
    left,
    nothing,
  };
}
