import "../../i18n/small";
import "../../styles/small.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, type User } from "../../lib/api";
import { useMe } from "../../lib/session";
import { Count } from "../../lib/time";
import { peopleKeys } from "./keys";

/** The tags of a profile, and how many posts have them if the reader asks. */
export function PinnedTags({ user }: { user: User }) {
  const { t } = useTranslation("small");
  const mine = useMe()?.id === user.id;
  const [asks, ask] = useState(false);
  const counts = useQuery({
    queryKey: peopleKeys.pinnedTags(user.id, user.pinnedTags),
    enabled: asks,
    queryFn: async () =>
      (await body(hibana.GET("/v1/users/{uid}/pinnedTags", { params: { path: { uid: user.id } } })))
        .items,
  }).data;
  return (
    <div className="pinnedtags">
      <ul aria-label={t("tags.title")}>
        {user.pinnedTags?.map((tag) => {
          const count = counts?.find((one) => one.label === tag)?.tweetCount;
          return (
            <li key={tag}>
              <Link className="chip" href={`/tags/${encodeURIComponent(tag)}`}>
                <span dir="auto">#{tag}</span>
                {count !== undefined && (
                  <small title={t("tags.tweets", { count })}>
                    <Count of={count} />
                  </small>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
      {!counts && (
        <button className="button small" disabled={asks} onClick={() => ask(true)}>
          {t(mine ? "tags.count" : "tags.counts")}
        </button>
      )}
    </div>
  );
}
