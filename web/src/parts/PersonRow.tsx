import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import type { UserSummary } from "../api";
import { block, follow, useTies } from "../people";
import { useMe, useSession } from "../session";
import { Avatar } from "./Avatar";

/** A person in a list, with a button: the one that follows, unless there is another. */
export function PersonRow({ user, button }: { user: UserSummary; button?: ReactNode }) {
  return (
    <div className="person">
      <Link href={`/users/${user.id}`} tabIndex={-1} aria-hidden="true"><Avatar of={user} /></Link>
      <Link href={`/users/${user.id}`} className="names">
        <strong>{user.nickname}</strong><span>@{user.username}</span>
        {user.snippet && <p>{user.snippet}</p>}
      </Link>
      {button ?? <FollowButton user={user} />}
    </div>
  );
}

/** Follows a person, or ends that; a block can be taken back in its place. */
export function FollowButton({ user }: { user: Pick<UserSummary, "id" | "nickname"> }) {
  const { t } = useTranslation();
  const me = useMe();
  const { guest } = useSession();
  const [, go] = useLocation();
  const { data: ties, isPending } = useTies(user.id);
  if (me?.id === user.id || (!me && !guest)) return null;
  if (guest) return <button className="button small main" aria-label={`${t("people.follow")}: ${user.nickname}`} onClick={() => go("/sign-up")}>{t("people.follow")}</button>;
  if (ties?.blocking) return <button className="button small" aria-label={`${t("people.unblock")}: ${user.nickname}`} onClick={() => void block(user, false)}>{t("people.unblock")}</button>;
  const on = (ties?.following || ties?.requested) ?? false;
  const label = t(ties?.following ? "people.following" : ties?.requested ? "people.requested" : "people.follow");
  return (
    <button className={on ? "button small" : "button small main"} aria-pressed={on} aria-label={`${label}: ${user.nickname}`} disabled={isPending} onClick={() => void follow(user.id, !on)}>
      {label}
    </button>
  );
}
