import { useTranslation } from "../../lib/speech";
import { body, hibana, type Tweet } from "../../lib/api";
import { Dialog } from "../../ui/Dialog";
import { PeopleList } from "../people/PeopleList";
import { postKeys } from "./keys";

/** Who liked or shared a tweet. */
export default function Reacted({
  of,
  tweet,
  onClose,
}: {
  of: "likes" | "shares";
  tweet: Tweet;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog title={t(of === "likes" ? "people.likers" : "people.sharers")} onClose={onClose} plain>
      <PeopleList
        name={postKeys.reacted(of, tweet.id)}
        page={async (pageToken) => {
          const query = { pageToken, format: "html" } as const;
          const params = { params: { path: { id: tweet.id }, query } };
          const { items, nextPageToken } = await body(
            of === "likes"
              ? hibana.GET("/v1/tweets/{id}/likes", params)
              : hibana.GET("/v1/tweets/{id}/shares", params),
          );
          return { items: items.map((person) => person.user), nextPageToken };
        }}
      />
    </Dialog>
  );
}
