import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import type { UserSummary } from "../api";
import { follow, useFollows } from "../people";
import { useMe, useSession } from "../session";
import { Avatar } from "./Avatar";

/** A person in a list. */
export function PersonRow({ user }: { user: UserSummary }) {
  return (
    <div className="person">
      <Link href={`/users/${user.id}`} tabIndex={-1} aria-hidden="true"><Avatar of={user} /></Link>
      <Link href={`/users/${user.id}`} className="names">
        <strong>{user.nickname}</strong><span>@{user.username}</span>
        {user.snippet && <p>{user.snippet}</p>}
      </Link>
      <FollowButton uid={user.id} name={user.nickname} />
    </div>
  );
}

export function FollowButton({ uid, name }: { uid: string; name: string }) {
  const { t } = useTranslation();
  const me = useMe();
  const { guest } = useSession();
  const [, go] = useLocation();
  const follows = useFollows(me?.id, uid);
  if (me?.id === uid || (!me && !guest)) return null;
  if (guest) return <button className="button small main" aria-label={`${t("people.follow")}: ${name}`} onClick={() => go("/sign-up")}>{t("people.follow")}</button>;
  const on = follows.data ?? false;
  return (
    <button className={on ? "button small" : "button small main"} aria-pressed={on} aria-label={`${t(on ? "people.following" : "people.follow")}: ${name}`} disabled={follows.isPending}
      onClick={() => me && void follow(me.id, uid, !on)}>
      {t(on ? "people.following" : "people.follow")}
    </button>
  );
}
