import { useInfiniteQuery } from "@tanstack/react-query";
import {
  AtSign,
  BarChart3,
  Bell,
  MessageCircle,
  Package,
  Pencil,
  Quote,
  Repeat2,
  UserPlus,
} from "lucide-react";
import { useRef, useState } from "react";
import { personPath } from "../../lib/paths";
import { useTranslation } from "../../lib/speech";
import { Link, useLocation } from "wouter";
import { body, cut, hibana, type Schemas } from "../../lib/api";
import { Avatar } from "../../ui/Avatar";
import { Fold, useFilterTitles } from "../quiet/Filtered";
import { Top } from "../../ui/Top";
import { HeldCount } from "../posts/Hold";
import { RequestsCount } from "./RequestsCount";
import { useSeen } from "./unread";
import { Spark } from "../../ui/Spark";
import { Empty, Failed, Loading } from "../../ui/states";
import { useListKeys } from "../posts/shortcuts";
import { TweetFeed } from "../posts/TweetFeed";
import { When } from "../../lib/time";
import type { Page } from "../posts/tweets";
import { More } from "../../ui/More";
import { noticeKeys } from "./keys";

type Notification = Schemas["Notification"];

const icons = {
  follow: <UserPlus aria-hidden="true" />,
  followRequest: <UserPlus aria-hidden="true" />,
  like: <Spark filled />,
  share: <Repeat2 aria-hidden="true" />,
  quote: <Quote aria-hidden="true" />,
  reply: <MessageCircle aria-hidden="true" />,
  mention: <AtSign aria-hidden="true" />,
  edit: <Pencil aria-hidden="true" />,
  poll: <BarChart3 aria-hidden="true" />,
  post: <Bell aria-hidden="true" />,
  order: <Package aria-hidden="true" />,
};
type Kind = keyof typeof icons;

/** What others did that concerns the reader. */
export default function Notifications() {
  const { t } = useTranslation();
  const [tab, setTab] = useState<"all" | "mentions">("all");
  return (
    <>
      <Top title={t("notifications.title")} />
      <div className="tabs">
        <button aria-current={tab === "all" ? "page" : undefined} onClick={() => setTab("all")}>
          {t("notifications.all")}
        </button>
        <button
          aria-current={tab === "mentions" ? "page" : undefined}
          onClick={() => setTab("mentions")}
        >
          {t("notifications.mentions")}
        </button>
      </div>
      <HeldCount />
      <RequestsCount />
      {tab === "all" ? (
        <All />
      ) : (
        <TweetFeed
          name={noticeKeys.mentions}
          label={t("notifications.mentions")}
          empty={<Empty title={t("notifications.empty")} hint={t("notifications.emptyHint")} />}
          page={(pageToken): Promise<Page> =>
            body(
              hibana.GET("/v1/users/me/mentions", {
                params: { query: { pageToken, format: "html" } },
              }),
            )
          }
        />
      )}
    </>
  );
}

function All() {
  const { t } = useTranslation();
  useState(() => cut(noticeKeys.all));
  const query = useInfiniteQuery({
    queryKey: noticeKeys.all,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(hibana.GET("/v1/notifications", { params: { query: { pageToken: pageParam } } })),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  // What was unread when it was drawn stays marked as new while the reader is on the page.
  const [news] = useState(() => new Set<string>());
  useSeen(query.isSuccess && !query.isFetching ? query.dataUpdatedAt : 0);
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list);
  if (query.isPending) return <Loading as="told" />;
  if (query.isError && !query.data)
    return <Failed failure={query.error} again={() => void query.refetch()} />;
  const all = query.data.pages.flatMap((page) => page.items);
  for (const one of all) if (!one.isRead) news.add(one.id);
  if (all.length === 0)
    return <Empty title={t("notifications.empty")} hint={t("notifications.emptyHint")} />;
  return (
    <>
      <ul ref={list}>
        {all.map((one) => (
          <li key={one.id}>
            <Told one={one} isNew={news.has(one.id)} />
          </li>
        ))}
      </ul>
      <More of={query} label={t("state.more")} />
    </>
  );
}

function Told({ one, isNew }: { one: Notification; isNew: boolean }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const titles = useFilterTitles(one.excerpt?.filtered);
  const [kind = "", about] = one.slot.split(":") as [Kind | "", string | undefined];
  const faces = one.records
    .flatMap((record) => (record.user ? [record.user] : []))
    .filter((user, n, all) => all.findIndex((other) => other.id === user.id) === n);
  const name = faces[0]?.nickname ?? t("notifications.somebody");
  const who =
    one.countUsers > 1
      ? t("notifications.others", { name, count: one.countUsers - 1 })
      : faces[0]
        ? t("notifications.single", { name })
        : name;
  const newest = one.records.find((record) => record.tweetId)?.tweetId;
  const status = one.records.find((record) => record.orderStatus)?.orderStatus;
  const to =
    kind === "order"
      ? `/orders/${about ?? ""}`
      : kind === "followRequest"
        ? "/settings"
        : kind === "follow"
          ? faces[0]
            ? personPath(faces[0])
            : "/notifications"
          : `/tweets/${(kind === "reply" || kind === "quote" || kind === "mention" ? newest : undefined) ?? about ?? newest ?? ""}`;
  return (
    <article
      className={isNew ? "told new" : "told"}
      data-told={one.id}
      onClick={(event) => !(event.target as HTMLElement).closest("a, button") && go(to)}
    >
      <span className={kind === "like" ? "gold" : ""}>
        {kind && kind in icons ? icons[kind] : <Bell aria-hidden="true" />}
      </span>
      <div>
        <div className="faces">
          {faces.map((user) => (
            <Link key={user.id} href={personPath(user)} aria-label={user.nickname}>
              <Avatar of={user} size="small" />
            </Link>
          ))}
        </div>
        <p>
          <Link href={to}>
            {kind === "order" && status
              ? t(`notifications.orders.${status}`)
              : kind && kind in icons
                ? t(`notifications.${kind}`, { who })
                : t("notifications.other", { who })}
          </Link>{" "}
          <span className="muted">
            <When at={one.updatedAt} />
          </span>{" "}
          {isNew && <span className="chip">{t("notifications.new")}</span>}
        </p>
        {one.excerpt && (
          <Fold id={one.excerpt.tweetId} says={titles}>
            <p className="excerpt">{one.excerpt.text}</p>
          </Fold>
        )}
      </div>
    </article>
  );
}
