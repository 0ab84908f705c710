import { Copy, Flag, Reply, Trash2, RotateCcw } from "lucide-react";
import { DropdownMenu as Menu } from "radix-ui";
import type { ReactNode } from "react";
import { useTranslation } from "../../lib/speech";
import { copied } from "../../lib/clipboard";
import { react, regret, takeBack } from "./messages";
import { show } from "../../lib/overlays";
import { useMe } from "../../lib/session";
import { toast } from "../../lib/toast";
import type { BubbleProps } from "./MessageBubble";

const emojis = ["❤️", "👍", "😂", "😮", "😢", "🎆"];

/** What can be done with a message. It opens when it comes. */
export default function MessageMenu({
  conversation,
  message,
  onReply,
  label,
  icon,
}: BubbleProps & { label: string; icon: ReactNode }) {
  const { t } = useTranslation(["messages", "translation"]);
  const me = useMe();
  const { id, ended, myState } = conversation;
  const mine = message.authorId === me?.id;
  const able = myState === "member" && !ended && !message.takenBack;
  const own = message.reactions.find(({ userIds }) => userIds.includes(me?.id ?? ""))?.emoji;
  const young = Date.now() - Date.parse(message.createdAt) < regret;
  const copy = async () => {
    if (await copied(message.text)) toast.success(t("act.copied"));
    else toast.error(t("translation:state.noCopy"));
  };
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger className="icon dots" aria-label={label}>
        {icon}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {able && (
            <>
              <Menu.Group className="emojis">
                {(own && !emojis.includes(own) ? [own, ...emojis] : emojis).map((emoji) => (
                  <Menu.Item
                    key={emoji}
                    className={emoji === own ? "chosen" : ""}
                    aria-label={t(emoji === own ? "act.unreact" : "act.react", { emoji })}
                    onSelect={() =>
                      void react(id, message, emoji === own ? undefined : emoji, me!.id)
                    }
                  >
                    {emoji}
                  </Menu.Item>
                ))}
              </Menu.Group>
              <Menu.Item onSelect={() => onReply(message)}>
                <Reply aria-hidden="true" className="onwards" />
                {t("act.reply")}
              </Menu.Item>
            </>
          )}
          {message.text && (
            <Menu.Item onSelect={() => void copy()}>
              <Copy aria-hidden="true" />
              {t("act.copy")}
            </Menu.Item>
          )}
          {mine && young && !message.takenBack && (
            <Menu.Item className="danger" onSelect={() => void takeBack(id, message, "everybody")}>
              <RotateCcw aria-hidden="true" />
              {t("act.takeBack")}
            </Menu.Item>
          )}
          <Menu.Item className="danger" onSelect={() => void takeBack(id, message, "me")}>
            <Trash2 aria-hidden="true" />
            {t("act.delete")}
          </Menu.Item>
          {!mine && !message.takenBack && (
            <Menu.Item
              className="danger"
              onSelect={() =>
                show({
                  kind: "report",
                  message: { conversationId: id, messageId: message.id },
                })
              }
            >
              <Flag aria-hidden="true" />
              {t("act.report")}
            </Menu.Item>
          )}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
