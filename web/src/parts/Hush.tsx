import type { Somebody } from "../people";
import { Block } from "./Block";
import { Mute } from "./Mute";

/** Mutes or blocks a person. */
export default function Hush({
  how,
  then,
  ...more
}: {
  how: "mute" | "block";
  user: Somebody;
  then?: () => void;
  onClose: () => void;
}) {
  return how === "mute" ? <Mute {...more} /> : <Block {...more} {...(then ? { then } : {})} />;
}
