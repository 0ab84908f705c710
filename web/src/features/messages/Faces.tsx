import type { Conversation } from "./messages";
import { useMe } from "../../lib/session";
import { Avatar } from "../../ui/Avatar";

/** The picture of who is in a conversation: of one person, or of the first two of several. */
export function Faces({ conversation }: { conversation: Conversation }) {
  const me = useMe();
  const others = conversation.members.filter((one) => one.id !== me?.id && !one.hidden);
  const [first, second] = others;
  if (!first) return <span className="twofaces" />;
  return (
    <span className="twofaces" aria-hidden="true">
      <Avatar of={first} {...(second ? { size: "small" as const } : {})} />
      {second && <Avatar of={second} size="small" />}
    </span>
  );
}
