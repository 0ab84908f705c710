import "../../i18n/lists";
import "../../styles/lists.css";
import { Settings } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link, useLocation } from "wouter";
import { body, hibana } from "../../lib/api";
import { listKeys } from "./keys";
import { keepOn, useList, type List } from "./lists";
import { FollowAll } from "./FollowAll";
import { Top } from "../../ui/Top";
import { ListForm } from "./ListForm";
import { PeopleList } from "../people/PeopleList";
import { Empty, Failed, Loading } from "../../ui/states";
import { TweetFeed } from "../posts/TweetFeed";
import { useUser } from "../people/people";
import { useMe, useSession } from "../../lib/session";
import type { Page } from "../posts/tweets";

/** A list of people: what its members write, and who they are. Of somebody else it is a starter pack. */
export default function ListPage({ uid, id }: { uid: string; id: string }) {
  const { t } = useTranslation("lists");
  const me = useMe();
  const { guest } = useSession();
  const [, go] = useLocation();
  const { data: list, error, refetch } = useList(uid, id);
  const mine = me?.id === uid;
  const [chosen, setTab] = useState<"timeline" | "members">();
  const tab = chosen ?? (mine ? "timeline" : "members"); // who reads may be known later
  const [form, setForm] = useState(false);
  if (!list)
    return (
      <>
        <Top title={t("all")} />
        {error ? <Failed failure={error} again={() => void refetch()} /> : <Loading />}
      </>
    );
  return (
    <>
      <Top title={list.title} small={t("members", { count: list.memberCount })}>
        {mine && (
          <button
            className="icon"
            aria-label={t("form.edit")}
            title={t("form.edit")}
            onClick={() => setForm(true)}
          >
            <Settings size={20} aria-hidden="true" />
          </button>
        )}
      </Top>
      <div className="listhead">
        {list.description && (
          <p className="typed" dir="auto">
            {list.description}
          </p>
        )}
        <p className="muted">
          {t(list.visibility)}
          {list.exclusive && ` · ${t("exclusive")}`}
        </p>
        {!mine && <Owner uid={uid} />}
        {me && !mine && <FollowAll list={list} />}
        {guest && (
          <button className="button main" onClick={() => go("/sign-up")}>
            {t("follow.all")}
          </button>
        )}
      </div>
      {me && (
        <div className="tabs">
          {(["timeline", "members"] as const).map((one) => (
            <button
              key={one}
              aria-current={tab === one ? "page" : undefined}
              onClick={() => setTab(one)}
            >
              {t(`tabs.${one}`)}
            </button>
          ))}
        </div>
      )}
      {me && tab === "timeline" ? (
        <TweetFeed
          name={listKeys.timeline(uid, id)}
          label={list.title}
          empty={<Empty title={t("empty")} />}
          page={(pageToken): Promise<Page> =>
            body(
              hibana.GET("/v1/users/{uid}/lists/{id}/timeline", {
                params: { path: { uid, id }, query: { pageToken, format: "html" } },
              }),
            )
          }
        />
      ) : (
        <Members list={list} mine={mine} />
      )}
      {form && <ListForm list={list} onClose={() => setForm(false)} />}
    </>
  );
}

function Owner({ uid }: { uid: string }) {
  const { t } = useTranslation("lists");
  const user = useUser(uid).data;
  return (
    user && (
      <p>
        {t("by")}{" "}
        <Link href={`/users/${uid}`}>
          <strong dir="auto">{user.nickname}</strong>{" "}
          <span className="muted">@{user.username}</span>
        </Link>
      </p>
    )
  );
}

function Members({ list, mine }: { list: List; mine: boolean }) {
  const { t } = useTranslation("lists");
  const { ownerId: uid, id } = list;
  return (
    <PeopleList
      name={listKeys.people(uid, id)}
      empty={t("nobody")}
      page={() =>
        body(
          hibana.GET("/v1/users/{uid}/lists/{id}/members", {
            params: { path: { uid, id }, query: { format: "html" } },
          }),
        )
      }
      {...(mine && {
        button: (user) => (
          <button
            className="button small"
            aria-label={`${t("remove")}: ${user.nickname}`}
            onClick={() => void keepOn(id, user.id, false)}
          >
            {t("remove")}
          </button>
        ),
      })}
    />
  );
}
