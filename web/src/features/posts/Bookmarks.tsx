import { useTranslation } from "../../lib/speech";
import { body, hibana } from "../../lib/api";
import { Top } from "../../ui/Top";
import { Empty } from "../../ui/states";
import { TweetFeed } from "./TweetFeed";
import { postKeys } from "./keys";

/** What the reader keeps. */
export default function Bookmarks() {
  const { t } = useTranslation();
  return (
    <>
      <Top title={t("bookmarks.title")} />
      <TweetFeed
        name={postKeys.bookmarks}
        label={t("bookmarks.title")}
        empty={<Empty title={t("bookmarks.empty")} hint={t("bookmarks.emptyHint")} />}
        page={(pageToken) =>
          body(
            hibana.GET("/v1/users/me/bookmarks", {
              params: { query: { pageToken, format: "html" } },
            }),
          )
        }
      />
    </>
  );
}
