import "../../i18n/quiet";
import { Volume2, VolumeX } from "lucide-react";
import { DropdownMenu as Menu } from "radix-ui";
import { useTranslation } from "../../lib/speech";
import { show } from "../../lib/overlays";
import { useTies, type Somebody } from "../people/ties";
import { unmute } from "./quiet";

/** In the menu of a person or of a tweet: mutes its author, or takes that back. */
export function MuteItem({ user }: { user: Somebody }) {
  const { t } = useTranslation("quiet");
  const muting = useTies(user.id).data?.muting;
  const name = user.nickname;
  return muting ? (
    <Menu.Item onSelect={() => void unmute(user, muting)}>
      <Volume2 aria-hidden="true" />
      {t("unmuteOf", { name })}
    </Menu.Item>
  ) : (
    <Menu.Item onSelect={() => show({ kind: "hush", how: "mute", user })}>
      <VolumeX aria-hidden="true" />
      {t("muteOf", { name })}
    </Menu.Item>
  );
}
