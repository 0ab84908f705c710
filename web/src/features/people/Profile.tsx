import "../../i18n/fields";
import "../../i18n/lists";
import { useQuery } from "@tanstack/react-query";
import { CalendarDays, Ellipsis, FilePen, Settings, UsersRound } from "lucide-react";
import { personPath, useAddress } from "../../lib/paths";
import { useTranslation } from "../../lib/speech";
import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import { body, hibana, named, type Tweet, type User } from "../../lib/api";
import { host, load, useLoads } from "../../lib/foreign";
import { Accounts } from "../account/Accounts";
import { Avatar } from "../../ui/Avatar";
import { Familiar } from "./Familiar";
import FollowButton from "./FollowButton";
import { IconLink } from "../../ui/IconLink";
import { Top } from "../../ui/Top";
import { Hushed } from "../quiet/Hushed";
import { PersonNote } from "./PersonNote";
import { PinnedTags } from "./PinnedTags";
import { ProfileFields } from "./ProfileFields";
import { Prose } from "../../ui/Prose";
import { Fireworks } from "../../ui/Spark";
import { Tabs } from "../../ui/Tabs";
import { WaitingProfile } from "../../ui/Skeletons";
import { Empty, Failed } from "../../ui/states";
import { TweetFeed } from "../posts/TweetFeed";
import { useUser } from "./people";
import { useFollowerCount } from "./ties";
import { Original } from "../../ui/Original";
import { useMe, useSession } from "../../lib/session";
import { Count, monthName } from "../../lib/time";
import type { Page } from "../posts/tweets";
import { postKeys } from "../posts/keys";

const AdminLink = lazy(() => import("../admin/AdminLink"));
const Moved = lazy(() => import("./Moved"));
const Menu = lazy(() => import("./PersonMenu"));

const tabs = ["tweets", "roots", "media", "likes", "shares"] as const;
type Tab = (typeof tabs)[number];

/** A person: who, and what they wrote, month by month. */
export default function Profile({ name, tab }: { name: string; tab?: string }) {
  const { t } = useTranslation();
  const me = useMe();
  const user = useUser(name);
  // A tab has no address of that kind. A profile that was kept may have a username of before.
  useAddress(user.data && !user.isFetching && !tab ? personPath(user.data) : undefined);
  if (user.isPending)
    return (
      <>
        <Top title="" />
        <WaitingProfile />
      </>
    );
  if (!user.data)
    return (
      <>
        <Top title={t("nav.profile")} />
        <Failed failure={user.error} again={() => void user.refetch()} />
      </>
    );
  const shown: Tab = tabs.find((known) => known === tab) ?? "tweets";
  return (
    <>
      <Top
        title={user.data.nickname}
        called={named(user.data)}
        small={t("people.tweets", { count: user.data.tweetCount })}
      >
        {me?.id === user.data.id && (
          <>
            <Accounts className="icon handheld">
              <UsersRound size={20} aria-hidden="true" />
            </Accounts>
            <Suspense>
              <AdminLink handheld />
            </Suspense>
            <IconLink handheld href="/settings" label={t("nav.settings")}>
              <Settings size={20} aria-hidden="true" />
            </IconLink>
          </>
        )}
      </Top>
      <Head key={user.data.id} user={user.data} />
      <Tabs label={t("profile.tweets")} chosen={shown}>
        {tabs.map((one) => (
          <Link
            key={one}
            href={one === "tweets" ? personPath(user.data) : `/users/${user.data.id}/${one}`}
            replace
            aria-current={one === shown ? "page" : undefined}
          >
            {t(`profile.${one}`)}
          </Link>
        ))}
      </Tabs>
      <List key={`${user.data.id} ${shown}`} user={user.data} tab={shown} />
    </>
  );
}

function Head({ user }: { user: User }) {
  const { t, i18n } = useTranslation(["translation", "lists", "fields"]);
  const me = useMe();
  // Who reads is known before the reader's own profile is there.
  const { uid, guest } = useSession();
  const mine = !guest && uid === user.id;
  const others = !guest && uid !== undefined && !mine;
  return (
    <>
      <div className="cover">
        {user.header ? <img src={user.header} alt="" /> : <Fireworks seed={user.id} count={4} />}
      </div>
      <div className="profile">
        <div className="line">
          <div className="face">
            <Avatar of={user} size="large" />
            <LoadPicture address={user.avatar} />
          </div>
          <div className="acts">
            {mine ? (
              <>
                <IconLink href="/drafts" label={t("drafts.title")}>
                  <FilePen size={20} aria-hidden="true" />
                </IconLink>
                <Link className="button" href="/settings#profile">
                  {t("people.edit")}
                </Link>
              </>
            ) : (
              <FollowButton user={user} />
            )}
            {others && <PersonMenu user={user} />}
          </div>
        </div>
        <div>
          <h2 dir="auto">{user.nickname}</h2>
          <p className="muted">
            @{user.username} {user.pronouns && <bdi className="pronouns">· {user.pronouns} </bdi>}
            {user.bot && (
              <span className="chip" title={t("fields:botHint")}>
                {t("fields:bot")}
              </span>
            )}{" "}
            {user.followedBy && <span className="chip">{t("people.followsYou")}</span>}
          </p>
        </div>
        {user.movedTo && (
          <Suspense>
            <Moved user={user} />
          </Suspense>
        )}
        {user.remote && (
          <p className="muted">
            <Original at={user.remote} /> · {t("remote.partly")}
          </p>
        )}
        {user.snippetHtml ? (
          <Prose html={user.snippetHtml} />
        ) : (
          user.snippet && <p className="typed">{user.snippet}</p>
        )}
        {user.fields && user.fields.length > 0 && <ProfileFields of={user.fields} />}
        <p
          className="muted"
          style={{ display: "flex", gap: "var(--space-2)", alignItems: "center" }}
        >
          <CalendarDays size={16} aria-hidden="true" />
          {t("people.joined", { when: monthName(user.createdAt, i18n.language) })}
        </p>
        {user.pinnedTags && <PinnedTags user={user} />}
        {others && <Hushed user={user} />}
        {others && me && me.followedCount > 0 && user.followerCount > 0 && <Familiar user={user} />}
        {others && <PersonNote key={user.id} user={user} />}
        <p className="stats">
          <Link href={`/users/${user.id}/following`}>
            <strong>
              <Count of={user.followedCount} />
            </strong>{" "}
            {t("people.followed")}
          </Link>
          <Link href={`/users/${user.id}/followers`}>
            <strong>
              <Count of={useFollowerCount(user)} />
            </strong>{" "}
            {t("people.followers")}
          </Link>
          <Link href={`/users/${user.id}/lists`}>{t("lists:all")}</Link>
        </p>
      </div>
    </>
  );
}

function PersonMenu({ user }: { user: User }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  // The menu's scripts come with the first click.
  const button = (
    <button
      className="icon"
      aria-label={t("people.more", { name: user.nickname })}
      aria-haspopup="menu"
      aria-expanded={wanted}
      onClick={() => setWanted(true)}
    >
      <Ellipsis size={20} aria-hidden="true" />
    </button>
  );
  return wanted ? (
    <Suspense fallback={button}>
      <Menu user={user} />
    </Suspense>
  ) : (
    button
  );
}

/** A button that shows a picture of another host, whose host then sees the reader. */
function LoadPicture({ address }: { address: string }) {
  const { t } = useTranslation();
  if (useLoads(address) || !address) return null;
  return (
    <button className="button small" onClick={() => load(address)}>
      {t("picture.load", { host: host(address) })}
    </button>
  );
}

/** When a tweet stands in the list: when it was shared, or posted. */
const stands = (tweet: Tweet) => tweet.sharedBy?.sharedAt ?? tweet.createdAt;

function List({ user, tab }: { user: User; tab: Tab }) {
  const { t, i18n } = useTranslation();
  const pins = useQuery({
    queryKey: postKeys.pins(user.id),
    enabled: tab === "tweets",
    queryFn: () =>
      body(
        hibana.GET("/v1/users/{uid}/pins", {
          params: { path: { uid: user.id }, query: { format: "html" } },
        }),
      ),
  });
  const author = { username: user.username, nickname: user.nickname, avatar: user.avatar };
  const page = async (pageToken: string | undefined): Promise<Page> => {
    const path = { uid: user.id };
    switch (tab) {
      case "likes":
        return body(
          hibana.GET("/v1/users/{uid}/likes", {
            params: { path, query: { pageToken, format: "html" } },
          }),
        );
      case "shares":
        return body(
          hibana.GET("/v1/users/{uid}/shares", {
            params: { path, query: { pageToken, format: "html" } },
          }),
        );
      default: {
        const list = await body(
          hibana.GET("/v1/users/{uid}/tweets", {
            params: {
              path,
              query: {
                pageToken,
                format: "html",
                view: "full",
                rootOnly: tab === "roots" || undefined,
                mediaOnly: tab === "media" || undefined,
              },
            },
          }),
        );
        return {
          ...list,
          items: list.items.map((tweet) => ({
            likeCount: 0,
            shareCount: 0,
            replyCount: 0,
            quoteCount: 0,
            liked: false,
            shared: false,
            bookmarked: false,
            author,
            ...tweet,
          })),
        };
      }
    }
  };
  const first =
    tab === "tweets"
      ? pins.data?.items.map((tweet): Tweet => ({ ...tweet, pinned: true }))
      : undefined;
  return (
    <TweetFeed
      name={postKeys.tab(user.id, tab)}
      page={page}
      label={t(`profile.${tab}`)}
      {...(first ? { first } : {})}
      heading={(tweet, before) => {
        if (tab === "likes" || tab === "shares" || tweet.pinned) return undefined;
        const month = monthName(stands(tweet), i18n.language);
        return before && !before.pinned && monthName(stands(before), i18n.language) === month
          ? undefined
          : month;
      }}
      empty={<Empty title={t("profile.empty")} />}
    />
  );
}
