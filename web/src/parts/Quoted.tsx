import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { HibanaError } from "../api";
import { readTweet } from "../tweets";
import { When } from "../time";
import { Avatar } from "./Avatar";
import { Shown } from "./Shown";

/** What a tweet quotes: read when the tweet is shown, and kept. */
export function Quoted({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ["tweet", id],
    queryFn: () => readTweet(id),
    staleTime: 5 * 60_000,
  });
  if (error && !data) {
    const gone = error instanceof HibanaError && error.status === 410;
    return <p className="quoted muted">{t(gone ? "tweet.gone" : "tweet.unknown")}</p>;
  }
  if (!data)
    return (
      <p className="quoted muted" aria-busy="true">
        …
      </p>
    );
  return (
    <Link href={`/tweets/${id}`} className="quoted">
      <span className="by">
        <Avatar of={data.author} size="small" />
        <strong dir="auto">{data.author.nickname}</strong>
        <span className="muted">
          <When at={data.createdAt} />
        </span>
      </span>
      <span className="prose typed">{data.summary || data.snippet}</span>
      {!data.summary && <Shown tweet={data} still />}
    </Link>
  );
}
