import { Check, SlidersHorizontal } from "lucide-react";
import { DropdownMenu as Menu } from "radix-ui";
import { useTranslation } from "../../lib/speech";
import { show, useShows } from "./shows";

/** The choice of what home shows, in a menu that opens when it comes. */
export default function HomeMenu() {
  const { t } = useTranslation();
  const shows = useShows();
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger className="icon" aria-label={t("home.shows")}>
        <SlidersHorizontal size={20} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className="menu" align="end" collisionPadding={8}>
          {(["shares", "replies"] as const).map((what) => (
            <Menu.CheckboxItem
              key={what}
              checked={shows[what]}
              onCheckedChange={(on) => show(what, on)}
              onSelect={(event) => event.preventDefault()} // both may be chosen at once
            >
              <Menu.ItemIndicator forceMount className="check">
                <Check size={18} aria-hidden="true" />
              </Menu.ItemIndicator>
              {t(`home.show.${what}`)}
            </Menu.CheckboxItem>
          ))}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
