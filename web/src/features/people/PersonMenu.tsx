import "../../i18n/messages";
import "../../i18n/lists";
import {
  BellOff,
  BellPlus,
  Ellipsis,
  Eye,
  EyeOff,
  Flag,
  Mail,
  ListPlus,
  UserMinus,
  UserX,
  Undo2,
} from "lucide-react";
import { DropdownMenu as Menu } from "radix-ui";
import type { User } from "../../lib/api";
import { show } from "../../lib/overlays";
import { useTranslation } from "../../lib/speech";
import { MuteItem } from "../quiet/MuteItem";
import { block, hideShares, useHides } from "./people";
import { useTies } from "./ties";
import { tellMe, useTold } from "./small";

/** What can be done about a person. It opens at once. */
export default function PersonMenu({ user }: { user: User }) {
  const { t } = useTranslation();
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger className="icon" aria-label={t("people.more", { name: user.nickname })}>
        <Ellipsis size={20} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className="menu" align="end" sideOffset={4}>
          <PersonActs user={user} />
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

// Asks what it needs to know when somebody opens the menu.
function PersonActs({ user }: { user: User }) {
  const { t } = useTranslation(["translation", "messages", "lists", "small"]);
  const ties = useTies(user.id).data;
  const blocked = ties?.blocking ?? false;
  const told = useTold(user.id, ties?.following ?? false);
  const hides = useHides(user.id);
  return (
    <>
      {!user.remote && (
        <Menu.Item onSelect={() => show({ kind: "message", to: user })}>
          <Mail aria-hidden="true" />
          {t("messages:to", { name: user.nickname })}
        </Menu.Item>
      )}
      <Menu.Item onSelect={() => void hideShares(user, !hides)}>
        {hides ? <Eye aria-hidden="true" /> : <EyeOff aria-hidden="true" />}
        {t(hides ? "people.showShares" : "people.hideShares")}
      </Menu.Item>
      <Menu.Item onSelect={() => show({ kind: "lists", user })}>
        <ListPlus aria-hidden="true" />
        {t("lists:add.item")}
      </Menu.Item>
      {ties?.following && told !== undefined && (
        <Menu.Item onSelect={() => void tellMe(user, !told)}>
          {told ? <BellOff aria-hidden="true" /> : <BellPlus aria-hidden="true" />}
          {t(told ? "small:told.off" : "small:told.on", { name: user.nickname })}
        </Menu.Item>
      )}
      {ties?.followedBy && (
        <Menu.Item onSelect={() => show({ kind: "hush", how: "remove", user })}>
          <UserMinus aria-hidden="true" />
          {t("small:remove.item", { name: user.nickname })}
        </Menu.Item>
      )}
      <MuteItem user={user} />
      <Menu.Item
        className="danger"
        onSelect={() =>
          blocked ? void block(user, false) : show({ kind: "hush", how: "block", user })
        }
      >
        {blocked ? <Undo2 aria-hidden="true" /> : <UserX aria-hidden="true" />}
        {t(blocked ? "people.unblock" : "people.block")}
      </Menu.Item>
      <Menu.Item className="danger" onSelect={() => show({ kind: "report", user })}>
        <Flag aria-hidden="true" />
        {t("report.title")}
      </Menu.Item>
    </>
  );
}
