import type { ReactNode } from "react";
import { Link } from "wouter";
import type { UserSummary } from "../../lib/api";
import { excerpt } from "../../lib/excerpts";
import { personPath } from "../../lib/paths";
import { Avatar } from "../../ui/Avatar";
import FollowButton from "./FollowButton";

/** A person in a list, with a button: the one that follows, unless there is another. */
export function PersonRow({
  user,
  button,
  note = excerpt(user),
}: {
  user: UserSummary;
  button?: ReactNode;
  note?: string | undefined;
}) {
  return (
    <div className="person">
      <Link href={personPath(user)} tabIndex={-1} aria-hidden="true">
        <Avatar of={user} />
      </Link>
      <Link href={personPath(user)} className="names">
        <strong dir="auto">{user.nickname}</strong>
        {user.username && <span>@{user.username}</span>}
        {note && <p>{note}</p>}
      </Link>
      {button ?? <FollowButton user={user} />}
    </div>
  );
}
