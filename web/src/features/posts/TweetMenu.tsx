import {
  BellOff,
  Ellipsis,
  Eye,
  EyeOff,
  Flag,
  History,
  Link2,
  Pencil,
  Pin,
  PinOff,
  Trash2,
  Unlink,
  UserX,
} from "lucide-react";
import { DropdownMenu as Menu } from "radix-ui";
import { tweetPath } from "../../lib/paths";
import { useTranslation } from "../../lib/speech";
import { toast } from "../../lib/toast";
import { useLocation } from "wouter";
import { copied } from "../../lib/clipboard";
import type { Tweet } from "../../lib/api";
import { show } from "../../lib/overlays";
import { hideShares } from "../people/people";
import { useMe } from "../../lib/session";
import { MuteItem } from "../quiet/MuteItem";
import { remove } from "./deletions";
import { fold, known, mute, pin, withdraw } from "./tweets";

/** What else can be done with a tweet. It opens when it comes. */
export default function TweetMenu({ tweet }: { tweet: Tweet }) {
  const { t } = useTranslation();
  const me = useMe();
  const [path, go] = useLocation();
  const mine = me?.id === tweet.authorId;
  const author = { id: tweet.authorId, nickname: tweet.author.nickname };
  const isMine = (id: string) => me !== undefined && known(id)?.authorId === me.id;
  const quoted = tweet.quoteOf && isMine(tweet.quoteOf) ? tweet.quoteOf : undefined;
  const copy = async () => {
    // Other sites show a preview of the public page, which leads to this one.
    if (await copied(location.origin + tweetPath(tweet))) toast.success(t("tweet.copied"));
    else toast.error(t("state.noCopy"));
  };
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger className="act" aria-label={t("tweet.more")}>
        <Ellipsis aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          <Menu.Item onSelect={() => void copy()}>
            <Link2 aria-hidden="true" />
            {t("tweet.copy")}
          </Menu.Item>
          {tweet.revision > 0 && (
            <Menu.Item onSelect={() => show({ kind: "history", tweet })}>
              <History aria-hidden="true" />
              {t("tweet.history")}
            </Menu.Item>
          )}
          {me && (
            <Menu.Item onSelect={() => void mute(tweet, true)}>
              <BellOff aria-hidden="true" />
              {t("tweet.mute")}
            </Menu.Item>
          )}
          {me && tweet.sharedBy && (
            <Menu.Item onSelect={() => void hideShares(tweet.sharedBy!, true)}>
              <EyeOff aria-hidden="true" />
              {t("people.hideSharesOf", { name: tweet.sharedBy.nickname })}
            </Menu.Item>
          )}
          {tweet.replyTo && isMine(tweet.rootId) && (
            <Menu.Item onSelect={() => void fold(tweet, !tweet.folded)}>
              {tweet.folded ? <Eye aria-hidden="true" /> : <EyeOff aria-hidden="true" />}
              {t(tweet.folded ? "tweet.unfold" : "tweet.fold")}
            </Menu.Item>
          )}
          {quoted && (
            <Menu.Item className="danger" onSelect={() => void withdraw(quoted, tweet)}>
              <Unlink aria-hidden="true" />
              {t("tweet.withdraw")}
            </Menu.Item>
          )}
          {mine && (
            <>
              <Menu.Item onSelect={() => void pin(tweet, !tweet.pinned)}>
                {tweet.pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
                {t(tweet.pinned ? "tweet.unpin" : "tweet.pin")}
              </Menu.Item>
              <Menu.Item onSelect={() => show({ kind: "compose", edit: tweet })}>
                <Pencil aria-hidden="true" />
                {t("tweet.edit")}
              </Menu.Item>
              <Menu.Item
                className="danger"
                onSelect={() =>
                  remove(tweet, path.endsWith(`/${tweet.id}`) ? () => go("/") : undefined)
                }
              >
                <Trash2 aria-hidden="true" />
                {t("tweet.delete")}
              </Menu.Item>
            </>
          )}
          {me && !mine && (
            <>
              <MuteItem user={author} />
              <Menu.Item
                className="danger"
                onSelect={() => show({ kind: "hush", how: "block", user: author })}
              >
                <UserX aria-hidden="true" />
                {t("people.block")}
              </Menu.Item>
              <Menu.Item className="danger" onSelect={() => show({ kind: "report", tweet })}>
                <Flag aria-hidden="true" />
                {t("tweet.report")}
              </Menu.Item>
            </>
          )}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
