import type { Somebody } from "../people/ties";
import { Block } from "./Block";
import { Mute } from "./Mute";
import { RemoveFollower } from "../people/RemoveFollower";

/** Mutes or blocks a person, or removes a follower. */
export default function Hush({
  how,
  then,
  ...more
}: {
  how: "mute" | "block" | "remove";
  user: Somebody;
  then?: () => void;
  onClose: () => void;
}) {
  if (how === "remove") return <RemoveFollower {...more} />;
  return how === "mute" ? <Mute {...more} /> : <Block {...more} {...(then ? { then } : {})} />;
}
