import { useEffect } from "react";
import { useLocation } from "wouter";

/** Decodes a part of an address; one that cannot be decoded stays as it is. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whether a username is that of somebody of another server, who has no public page here. */
const elsewhere = (username: string) => username.includes("@");

/**
 * Whether a query is a handle with a host, or an address of the web: other servers may have what
 * it names.
 */
export const asksElsewhere = (query: string) =>
  /^@?[\w.-]+@[^\s@]+\.[^\s@]+$/.test(query.trim()) ||
  /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])\S+$/.test(query.trim());

/**
 * The address of a person's profile, as people read it. One without a username has an id alone, and
 * so has somebody of another server.
 */
export const personPath = ({ id, username }: { id: string; username?: string }) =>
  username && !elsewhere(username) ? `/@${username}` : `/users/${encodeURIComponent(id)}`;

/**
 * The address of a tweet. That of a tweet that everybody may see is of a public page, too; of
 * others the public page would say that there is nothing.
 */
export const tweetPath = ({
  id,
  visibility,
  author,
}: {
  id: string;
  visibility: string;
  author: { username: string };
}) =>
  author.username &&
  !elsewhere(author.username) &&
  (visibility === "public" || visibility === "unlisted")
    ? `/@${author.username}/${id}`
    : `/tweets/${id}`;

// The address that took the place of another one, until the page has noticed.
let renamed: string | undefined;

/** Tells, once, whether an address is another one of the page that is there. */
export function isRenamed(path: string): boolean {
  const is = renamed === path;
  renamed = undefined;
  return is;
}

/** Puts the address by which the page is known in the place of another one that led to it. */
export function useAddress(known: string | undefined): void {
  const [path, go] = useLocation();
  useEffect(() => {
    if (!known || known === path) return;
    renamed = known;
    go(known, { replace: true, state: history.state as unknown });
  }, [known, path, go]);
}
