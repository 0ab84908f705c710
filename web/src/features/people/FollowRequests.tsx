import "../../i18n/later";
import { useInfiniteQuery } from "@tanstack/react-query";
import { personPath } from "../../lib/paths";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, queries } from "../../lib/api";
import { tell } from "../../lib/failures";
import { Avatar } from "../../ui/Avatar";
import { Failed } from "../../ui/states";
import { More } from "../../ui/More";
import { readerKeys } from "../../lib/keys";
import { peopleKeys } from "./keys";

const key = peopleKeys.requests;

async function answer(uid: string, accept: boolean): Promise<void> {
  try {
    const one = { params: { path: { uid } } };
    await (accept
      ? hibana.PUT("/v1/users/me/followRequests/{uid}", one)
      : hibana.DELETE("/v1/users/me/followRequests/{uid}", one));
    void queries.invalidateQueries({ queryKey: peopleKeys.ties(uid) });
    // The numbers of followers follow by an event, in a second or so.
    if (accept)
      setTimeout(
        () =>
          [readerKeys.me, peopleKeys.users].forEach(
            (name) => void queries.invalidateQueries({ queryKey: name }),
          ),
        1500,
      );
  } catch (failure) {
    tell(failure);
  }
  await queries.invalidateQueries({ queryKey: key });
}

/** Who asks to follow the reader, to be accepted or refused; nothing if nobody does. */
export function FollowRequests() {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    queryKey: key,
    meta: { keep: false },
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(
        hibana.GET("/v1/users/me/followRequests", { params: { query: { pageToken: pageParam } } }),
      ),
    getNextPageParam: (last) => last.nextPageToken || undefined,
    refetchOnMount: "always",
  });
  const people = query.data?.pages.flatMap((page) => page.items.map((one) => one.user)) ?? [];
  if (people.length === 0 && !query.hasNextPage && !query.isError) return null;
  return (
    <section>
      <h2>{t("settings.requests")}</h2>
      <ul>
        {people.map((user) => (
          <li key={user.id} className="person">
            <Link href={personPath(user)} aria-hidden="true" tabIndex={-1}>
              <Avatar of={user} />
            </Link>
            <Link href={personPath(user)} className="names">
              <strong dir="auto">{user.nickname}</strong>
              <span>@{user.username}</span>
            </Link>
            <button
              className="button small main"
              aria-label={`${t("settings.accept")}: ${user.nickname}`}
              onClick={() => void answer(user.id, true)}
            >
              {t("settings.accept")}
            </button>
            <button
              className="button small"
              aria-label={`${t("settings.refuse")}: ${user.nickname}`}
              onClick={() => void answer(user.id, false)}
            >
              {t("settings.refuse")}
            </button>
          </li>
        ))}
      </ul>
      <More of={query} label={t("state.more")} />
      {query.isError && !query.data && (
        <Failed failure={query.error} again={() => void query.refetch()} />
      )}
    </section>
  );
}
