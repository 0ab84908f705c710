import { useTranslation } from "../../lib/speech";
import { body, hibana } from "../../lib/api";
import { Top } from "../../ui/Top";
import { Empty } from "../../ui/states";
import { TweetFeed } from "./TweetFeed";
import type { Page } from "./tweets";
import { postKeys } from "./keys";

/** The tweets that quote a tweet. */
export default function Quotes({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Top title={t("tweet.quote")} />
      <TweetFeed
        name={postKeys.quotes(id)}
        label={t("tweet.quote")}
        empty={<Empty title={t("profile.empty")} />}
        page={(pageToken): Promise<Page> =>
          body(
            hibana.GET("/v1/tweets/{id}/quotes", {
              params: { path: { id }, query: { pageToken, format: "html" } },
            }),
          )
        }
      />
    </>
  );
}
