import "../../i18n/quiet";
import { useQuery } from "@tanstack/react-query";
import { excerpt } from "../../lib/excerpts";
import { tweetPath } from "../../lib/paths";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import type { Tweet } from "../../lib/api";
import { useTies } from "../people/ties";
import { useSession } from "../../lib/session";
import { useShadow } from "../../lib/shadow";
import { When } from "../../lib/time";
import { readOne } from "./batch";
import { useSieve } from "./tweets";
import { Avatar } from "../../ui/Avatar";
import { Fold, useFilterTitles } from "../quiet/Filtered";
import { Shown } from "../media/Shown";
import { postKeys } from "./keys";

/** What a tweet quotes: read when the tweet is shown, and kept. */
export default function Quoted({ id }: { id: string }) {
  const { t } = useTranslation();
  const sieve = useSieve();
  const name = postKeys.quoted(id);
  const { data, error } = useQuery({
    queryKey: name,
    queryFn: () => readOne(id),
    staleTime: 5 * 60_000,
  });
  if (!data && !error) return <Soon />;
  const tweet = data?.tweet && sieve([data.tweet], name)[0];
  if (!tweet) return <None says={t(data?.status === "gone" ? "tweet.gone" : "tweet.unknown")} />;
  return <Seen tweet={tweet} />;
}

const None = ({ says }: { says: string }) => <p className="quoted muted">{says}</p>;

const Soon = () => (
  <p className="quoted muted" aria-busy="true" style={{ minHeight: "6rem" }}>
    …
  </p>
);

/** The quoted tweet, folded if the reader mutes its author or a filter says so. */
function Seen({ tweet: read }: { tweet: Tweet }) {
  const { t } = useTranslation();
  const tweet = useShadow(read);
  return tweet ? <Folded tweet={tweet} /> : <None says={t("tweet.gone")} />;
}

function Folded({ tweet }: { tweet: Tweet }) {
  const { t } = useTranslation("quiet");
  const titles = useFilterTitles(tweet.filtered);
  const { state, me } = useSession();
  const ties = useTies(tweet.authorId);
  const muted = ties.data?.muting?.part === "all";
  const says = muted ? t("mutedQuote", { name: tweet.author.nickname }) : titles;
  // Until it is known whether the reader mutes the author, which a guest cannot.
  if (ties.isPending && state === "in" && me !== null && me?.id !== tweet.authorId) return <Soon />;
  return (
    <Fold id={`quoted ${tweet.id}`} says={says}>
      <Link href={tweetPath(tweet)} className="quoted">
        <span className="by">
          <Avatar of={tweet.author} size="small" />
          <strong dir="auto">{tweet.author.nickname}</strong>
          <span className="muted">
            <When at={tweet.createdAt} />
          </span>
        </span>
        <span className="prose typed">{excerpt(tweet)}</span>
        {!tweet.summary && <Shown tweet={tweet} still />}
      </Link>
    </Fold>
  );
}
