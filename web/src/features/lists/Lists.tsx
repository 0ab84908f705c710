import "../../i18n/lists";
import "../../styles/lists.css";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { followTag, useFollowedTags, useLists, useListsOf, type List } from "./lists";
import { Top } from "../../ui/Top";
import { ListForm } from "./ListForm";
import { Empty, Failed, Loading } from "../../ui/states";
import { useUser } from "../people/people";
import { useMe } from "../../lib/session";

/** The reader's lists and followed tags, or the public lists of somebody else. */
export default function Lists({ uid }: { uid?: string }) {
  const me = useMe();
  return uid === undefined || uid === me?.id ? <Mine /> : <Others uid={uid} />;
}

function Mine() {
  const { t } = useTranslation("lists");
  const { data, error, refetch } = useLists();
  const [form, setForm] = useState(false);
  return (
    <>
      <Top title={t("title")} />
      <div className="settings lists">
        <section>
          <h2>{t("mine")}</h2>
          <button className="button main" onClick={() => setForm(true)}>
            <Plus size={18} aria-hidden="true" />
            {t("new")}
          </button>
          {!data &&
            (error ? (
              <Failed failure={error} again={() => void refetch()} />
            ) : (
              <Loading rows={2} />
            ))}
          {data?.length === 0 && <Empty title={t("none")} hint={t("noneHint")} />}
          {data && <Rows lists={data} />}
        </section>
        <FollowedTags />
      </div>
      {form && <ListForm onClose={() => setForm(false)} />}
    </>
  );
}

function Others({ uid }: { uid: string }) {
  const { t } = useTranslation("lists");
  const user = useUser(uid).data;
  const { data, error, refetch } = useListsOf(uid);
  return (
    <>
      <Top title={user ? t("of", { name: user.nickname }) : t("all")} />
      <div className="settings lists">
        {!data &&
          (error ? <Failed failure={error} again={() => void refetch()} /> : <Loading rows={2} />)}
        {data?.length === 0 && <Empty title={t("nonePublic")} />}
        {data && (
          <section>
            <Rows lists={data} />
          </section>
        )}
      </div>
    </>
  );
}

function Rows({ lists }: { lists: List[] }) {
  const { t } = useTranslation("lists");
  return (
    <ul className="rows">
      {lists.map((list) => (
        <li key={list.id}>
          <Link href={`/users/${list.ownerId}/lists/${list.id}`} className="further">
            <strong dir="auto">{list.title}</strong>
            <span className="muted">
              {t("members", { count: list.memberCount })} · {t(list.visibility)}
              {list.exclusive && ` · ${t("exclusive")}`}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function FollowedTags() {
  const { t } = useTranslation("lists");
  const { data, error, refetch } = useFollowedTags();
  return (
    <section>
      <h2>{t("tags.title")}</h2>
      <p className="muted">{t("tags.hint")}</p>
      {!data &&
        (error ? <Failed failure={error} again={() => void refetch()} /> : <Loading rows={2} />)}
      {data?.length === 0 && <p>{t("tags.none")}</p>}
      {data && (
        <ul className="rows">
          {data.map(({ name, content }) => (
            <li key={name} className="tagrow">
              <Link href={`/tags/${encodeURIComponent(name)}`} dir="auto">
                #{content}
              </Link>
              <button
                className="button small"
                aria-label={t("tags.unfollow", { tag: content })}
                onClick={() => void followTag(name, false)}
              >
                {t("tags.stop")}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
