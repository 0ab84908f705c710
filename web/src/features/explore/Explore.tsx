import "../../i18n/find";
import { useRef, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { body, hibana } from "../../lib/api";
import { TagList, TrendList, useTags, useTrends } from "./trends";
import { PeopleList } from "../people/PeopleList";
import { SearchBox } from "./SearchBox";
import { Empty, Failed, Loading } from "../../ui/states";
import { Toggle } from "../../ui/Toggle";
import { useListKeys } from "../posts/shortcuts";
import { TweetCard } from "../posts/TweetCard";
import { TweetFeed } from "../posts/TweetFeed";
import { asksElsewhere } from "../../lib/paths";
import { useSession } from "../../lib/session";
import { useTitle } from "../../lib/title";
import type { Page } from "../posts/tweets";
import { exploreKeys } from "./keys";

/** What everybody writes, and the search. */
export default function Explore() {
  const { t } = useTranslation(["translation", "find"]);
  const q = new URLSearchParams(useSearch()).get("q")?.trim() ?? "";
  useTitle(q ? t("explore.found", { q }) : t("explore.title"));
  const [tab, setTab] = useState<"latest" | "trends" | "tags">("latest");
  return (
    <div className="page">
      <div className="top">
        <h1 className="hidden">{t("explore.title")}</h1>
        <SearchBox />
      </div>
      {q ? (
        <Results key={q} q={q} />
      ) : (
        <>
          <div className="tabs">
            <button
              aria-current={tab === "latest" ? "page" : undefined}
              onClick={() => setTab("latest")}
            >
              {t("explore.latest")}
            </button>
            <button
              aria-current={tab === "trends" ? "page" : undefined}
              onClick={() => setTab("trends")}
            >
              {t("explore.trends")}
            </button>
            <button
              aria-current={tab === "tags" ? "page" : undefined}
              onClick={() => setTab("tags")}
            >
              {t("explore.tags")}
            </button>
          </div>
          <Link className="openbranch" href="/people/find">
            {t("find:find")}
          </Link>
          {tab === "tags" ? (
            <Tags />
          ) : tab === "trends" ? (
            <Trends />
          ) : (
            <TweetFeed
              name={exploreKeys.public}
              label={t("explore.latest")}
              empty={<Empty title={t("profile.empty")} />}
              page={(pageToken): Promise<Page> =>
                body(hibana.GET("/v1/tweets", { params: { query: { pageToken, format: "html" } } }))
              }
            />
          )}
        </>
      )}
    </div>
  );
}

/** The tweets of the hour. */
function Trends() {
  const { t } = useTranslation();
  const { data, error, refetch } = useTrends();
  const list = useRef<HTMLDivElement>(null);
  useListKeys(list);
  if (!data)
    return error ? <Failed failure={error} again={() => void refetch()} /> : <Loading rows={3} />;
  if (data.tweets.length === 0 && data.tags.length === 0)
    return <Empty title={t("explore.calm")} />;
  return (
    <>
      <TrendList tags={data.tags} />
      <div ref={list}>
        {data.tweets.map(({ tweet }) => (
          <TweetCard key={tweet.id} tweet={tweet} />
        ))}
      </div>
    </>
  );
}

/** The tags that are used most. */
function Tags() {
  const { t } = useTranslation();
  const { data, error, refetch } = useTags(50);
  if (!data)
    return error ? <Failed failure={error} again={() => void refetch()} /> : <Loading rows={3} />;
  if (data.items.length === 0) return <Empty title={t("profile.empty")} />;
  return <TagList tags={data.items} />;
}

function Results({ q }: { q: string }) {
  const { t } = useTranslation();
  const { guest } = useSession();
  const [tab, setTab] = useState<"tweets" | "people">(q.startsWith("@") ? "people" : "tweets");
  const [following, setFollowing] = useState(false);
  return (
    <>
      <div className="tabs">
        <button
          aria-current={tab === "tweets" ? "page" : undefined}
          onClick={() => setTab("tweets")}
        >
          {t("explore.tweets")}
        </button>
        <button
          aria-current={tab === "people" ? "page" : undefined}
          onClick={() => setTab("people")}
        >
          {t("explore.people")}
        </button>
      </div>
      {tab === "people" ? (
        <PeopleList
          name={exploreKeys.people(q)}
          empty={t("explore.none")}
          page={(pageToken) =>
            body(
              hibana.GET("/v1/search/users", {
                params: {
                  query: asksElsewhere(q)
                    ? { q: q.trim(), resolve: true, pageToken, format: "html" }
                    : { q: q.replace(/^@/, ""), pageToken, format: "html" },
                },
              }),
            )
          }
        />
      ) : (
        <>
          {!guest && (
            <div
              style={{
                padding: "var(--space-2) var(--space-4)",
                borderBottom: "1px solid var(--line)",
              }}
            >
              <Toggle label={t("explore.following")} on={following} onChange={setFollowing} />
            </div>
          )}
          <TweetFeed
            key={String(following)}
            name={exploreKeys.found(q, following)}
            label={t("explore.tweets")}
            empty={<Empty title={t("explore.none")} hint={t("explore.hint")} />}
            page={(pageToken): Promise<Page> =>
              body(
                hibana.GET("/v1/search/tweets", {
                  params: {
                    query: {
                      q,
                      following: following || undefined,
                      resolve: asksElsewhere(q) || undefined,
                      pageToken,
                      format: "html",
                    },
                  },
                }),
              )
            }
          />
        </>
      )}
    </>
  );
}
