import { useTranslation } from "../../lib/speech";
import { useLocation } from "wouter";
import type { UserSummary } from "../../lib/api";
import { block, follow } from "./people";
import { useTies } from "./ties";
import { useMe, useSession } from "../../lib/session";

/** Follows a person, or ends that; a block can be taken back in its place. */
export default function FollowButton({ user }: { user: Pick<UserSummary, "id" | "nickname"> }) {
  const { t } = useTranslation();
  const me = useMe();
  const { guest } = useSession();
  const [, go] = useLocation();
  const { data: ties, isPending } = useTies(user.id);
  if (me?.id === user.id || (!me && !guest)) return null;
  if (guest)
    return (
      <button
        className="button small main"
        aria-label={`${t("people.follow")}: ${user.nickname}`}
        onClick={() => go("/sign-up")}
      >
        {t("people.follow")}
      </button>
    );
  if (ties?.blocking)
    return (
      <button
        className="button small"
        aria-label={`${t("people.unblock")}: ${user.nickname}`}
        onClick={() => void block(user, false)}
      >
        {t("people.unblock")}
      </button>
    );
  const on = (ties?.following || ties?.requested) ?? false;
  const label = t(
    ties?.following ? "people.following" : ties?.requested ? "people.requested" : "people.follow",
  );
  return (
    <button
      className={on ? "button small" : "button small main"}
      aria-pressed={on}
      aria-label={`${label}: ${user.nickname}`}
      disabled={isPending}
      onClick={() => void follow(user.id, !on)}
    >
      {label}
    </button>
  );
}
