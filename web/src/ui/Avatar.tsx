import { useState } from "react";
import { useLoads } from "../lib/foreign";

/**
 * The picture of a person, or the first letter of the name on a colour of its own. A picture of
 * another host is shown only to readers who asked for it.
 */
export function Avatar({
  of,
  size,
}: {
  of: { username: string; nickname: string; avatar: string };
  size?: "small" | "large";
}) {
  const [broken, setBroken] = useState("");
  const loads = useLoads(of.avatar);
  const name = `avatar ${size ?? ""}`;
  if (of.avatar && loads && of.avatar !== broken) {
    return (
      <img
        className={name}
        src={of.avatar}
        alt=""
        loading="lazy"
        referrerPolicy="no-referrer"
        onError={() => setBroken(of.avatar)}
      />
    );
  }
  const hue = [...of.username].reduce(
    (sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360,
    7,
  );
  return (
    <span
      className={name}
      style={{
        background: `linear-gradient(140deg, oklch(0.55 0.16 ${hue}), oklch(0.4 0.13 ${hue + 50}))`,
      }}
      aria-hidden="true"
    >
      {[...(of.nickname || of.username)][0]?.toUpperCase()}
    </span>
  );
}
