import type { Schemas, Tweet } from "../../../lib/api";
import { blank, type Draft } from "../drafts";
import { usual } from "./languages";

/** A draft that the API keeps. */
export type Kept = Schemas["Draft"];

/** What is written: a new tweet, a reply, a quote, an edit, or a draft that the API keeps. */
export interface Subject {
  replyTo?: Tweet | undefined;
  quoteOf?: Tweet | undefined;
  /** The tweet that is edited, and the tag of the version that was read. */
  edit?: { tweet: Tweet; tag: string } | undefined;
  kept?: Kept | undefined;
}

/** Names a draft: whose it is, and what it is about. There is one for each subject. */
export function nameOf(uid: string | undefined, { replyTo, quoteOf, edit, kept }: Subject): string {
  const about = kept
    ? `kept.${kept.id}.${kept.revision}`
    : edit
      ? `edit.${edit.tweet.id}.${edit.tweet.revision}`
      : replyTo
        ? `reply.${replyTo.id}`
        : quoteOf
          ? `quote.${quoteOf.id}`
          : "new";
  return `${uid}.${about}`;
}

/** Returns the draft that a subject begins with. */
export function beginning({ replyTo, edit, kept }: Subject): Draft {
  if (kept) return ofKept(kept);
  if (edit) return of(edit.tweet);
  return { ...blank(), visibility: replyTo?.visibility ?? "public", language: usual() };
}

function of(tweet: Tweet): Draft {
  const { content = "", summary, visibility, replyPolicy, allowLikes, quotePolicy } = tweet;
  return { content, summary, visibility, replyPolicy, allowLikes, quotePolicy, key: tweet.id };
}

function ofKept({
  content,
  summary,
  visibility,
  replyPolicy,
  allowLikes,
  quotePolicy,
  poll,
  media = [],
  language = "",
  to,
  cc,
}: Kept): Draft {
  return {
    content,
    summary,
    visibility: visibility ?? "public",
    byDefault: !visibility && !to && !cc,
    replyPolicy,
    allowLikes,
    quotePolicy,
    poll,
    language,
    to,
    cc,
    media: media.map((id) => ({ id, video: false })),
    key: crypto.randomUUID(),
  };
}

/** Returns the descriptions that an edit changes. */
export function retold(
  { media = [] }: Tweet,
  draft: Draft,
): { media?: { id: string; alt: string }[] } {
  const changed = (draft.media ?? [])
    .map(({ id, alt = "" }) => ({ id, alt: alt.trim() }))
    .filter(({ id, alt }) => media.some((one) => one.id === id && one.alt !== alt));
  return changed.length > 0 ? { media: changed } : {};
}

/** Returns a poll without its empty fields: they are no options. */
export function asked(poll: Draft["poll"]): Draft["poll"] {
  return poll && { ...poll, options: poll.options.map((text) => text.trim()).filter(Boolean) };
}

/** Returns the reader's time in the form of the field. */
export function local(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns the audiences of a reply, which goes to no more people than what it answers. */
export function narrower(than: Draft["visibility"]): Draft["visibility"][] {
  const all: Draft["visibility"][] = ["public", "unlisted", "followers", "mentioned"];
  return all.slice(all.indexOf(than));
}

/** Returns what a request says of the audience: recipients by name, where an app named them. */
export function audienceOf({ visibility, to, cc, byDefault }: Draft) {
  if (to || cc) return { to, cc };
  return byDefault ? {} : { visibility };
}

/** How many days ahead a tweet may be scheduled. */
export const ahead = 366;

/** Tells whether a tweet can be scheduled for a time: one to come, and not too far ahead. */
export const inTime = (at: string): boolean => {
  const wait = new Date(at).getTime() - Date.now();
  return wait > 0 && wait <= ahead * 24 * 60 * 60_000;
};
