import "../../styles/find.css";
import { X } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { dismiss, useSuggestions, why, type Suggestion } from "./find";
import { useTies } from "./ties";
import FollowButton from "./FollowButton";
import { PersonRow } from "./PersonRow";

/** A person whom the reader may want to follow, and why; nothing after a block or a mute. */
export function Suggested({ one: { user, reason } }: { one: Suggestion }) {
  const { t } = useTranslation("find");
  const ties = useTies(user.id).data;
  if (ties?.blocking || ties?.muting?.part === "all") return null;
  const not = t("dismissOf", { name: user.nickname });
  return (
    <li>
      <PersonRow
        user={user}
        note={why(reason)}
        button={
          <span className="acts">
            <FollowButton user={user} />
            <button
              className="icon"
              aria-label={not}
              title={not}
              onClick={() => void dismiss(user)}
            >
              <X size={18} aria-hidden="true" />
            </button>
          </span>
        }
      />
    </li>
  );
}

/** A few people to follow, beside home or where it is empty; nothing if there are none. */
export default function ToFollow({ title = "title" }: { title?: "title" | "first" }) {
  const { t } = useTranslation("find");
  const { data } = useSuggestions();
  if (!data || data.length === 0) return null;
  return (
    <section className="panel find" aria-label={t(title)}>
      <h2>{t(title)}</h2>
      <ul>
        {data.slice(0, title === "first" ? 5 : 3).map((one) => (
          <Suggested key={one.user.id} one={one} />
        ))}
      </ul>
      <Link className="linklike" href="/people/find">
        {t("all")}
      </Link>
    </section>
  );
}
