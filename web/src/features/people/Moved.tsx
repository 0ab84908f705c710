import { Link } from "wouter";
import type { User } from "../../lib/api";
import { host } from "../../lib/foreign";
import { personPath } from "../../lib/paths";
import { useMe } from "../../lib/session";
import { useTranslation } from "../../lib/speech";
import { useUser } from "./people";

/** Says to which account a person moved, and leads there. Nothing of one who did not move. */
export default function Moved({ user }: { user: User }) {
  return user.movedTo && user.movedToId ? (
    <Account name={user.nickname} address={user.movedTo} id={user.movedToId} />
  ) : null;
}

function Account({ name, address, id }: { name: string; address: string; id: string }) {
  const { t } = useTranslation();
  const me = useMe();
  const to = useUser(id);
  if (to.isPending) return <p className="notice">{"\u00a0"}</p>;
  const says = t("remote.moved", { name, to: to.data ? `@${to.data.username}` : host(address) });
  return (
    <p className="notice">
      {to.data ? (
        <Link href={personPath(to.data)}>{says}</Link>
      ) : me ? (
        // A search by the address makes this server meet the account.
        <Link href={`/explore?q=${encodeURIComponent(address)}`}>{says}</Link>
      ) : (
        <a href={address} target="_blank" rel="noopener noreferrer">
          {says}
        </a>
      )}
    </p>
  );
}
