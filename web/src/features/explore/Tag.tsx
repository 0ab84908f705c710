import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana } from "../../lib/api";
import { Top } from "../../ui/Top";
import { TagFollow } from "./TagFollow";
import { PeopleList } from "../people/PeopleList";
import { Empty } from "../../ui/states";
import { TweetFeed } from "../posts/TweetFeed";
import type { Page } from "../posts/tweets";
import { exploreKeys } from "./keys";
import { listKeys } from "../lists/keys";

/** The tweets with a tag, and who uses it. */
export default function Tag({ tag }: { tag: string }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<"tweets" | "people">("tweets");
  const about = useQuery({
    queryKey: listKeys.about(tag),
    queryFn: () => body(hibana.GET("/v1/tags/{tag}", { params: { path: { tag } } })),
  });
  return (
    <>
      <Top
        title={`#${about.data?.content ?? tag}`}
        small={about.data && t("tag.tweets", { count: about.data.tweetCount })}
      >
        {about.data?.isFollowing !== undefined && (
          <TagFollow tag={about.data.content} on={about.data.isFollowing} />
        )}
      </Top>
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
      {tab === "tweets" ? (
        <TweetFeed
          name={exploreKeys.tagged(tag)}
          label={`#${tag}`}
          empty={<Empty title={t("errors.tag_not_found")} />}
          page={(pageToken): Promise<Page> =>
            body(
              hibana.GET("/v1/tags/{tag}/tweets", {
                params: { path: { tag }, query: { pageToken, format: "html" } },
              }),
            )
          }
        />
      ) : (
        <PeopleList
          name={exploreKeys.tagUsers(tag)}
          page={async (pageToken) => {
            const { items, nextPageToken } = await body(
              hibana.GET("/v1/tags/{tag}/users", {
                params: { path: { tag }, query: { pageToken, format: "html" } },
              }),
            );
            return { items: items.map((one) => one.user), nextPageToken };
          }}
        />
      )}
    </>
  );
}
