import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import type { Schemas } from "../../lib/api";
import { Empty, Failed, Loading } from "../../ui/states";
import { More } from "../../ui/More";
import { dateAndTime } from "../../lib/dates";

type Act = Schemas["AgentAct"];
type Page = { items: Act[]; nextPageToken?: string };

/** What an agent did, newest first. name is the key under which the pages are kept. */
export function AgentActs({
  name,
  page,
}: {
  name: readonly string[];
  page: (pageToken: string | undefined) => Promise<Page>;
}) {
  const { t } = useTranslation("agents");
  const all = useInfiniteQuery({
    queryKey: name,
    meta: { keep: false },
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => page(pageParam),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  const items = all.data?.pages.flatMap((one) => one.items);
  return (
    <>
      {all.isPending && <Loading rows={2} />}
      {items?.length === 0 && <Empty title={t("noActs")} />}
      <ul className="agentacts">
        {items?.map((act) => (
          <One key={act.id} act={act} />
        ))}
      </ul>
      {all.isError && !all.data && <Failed failure={all.error} again={() => void all.refetch()} />}
      <More of={all} label={t("more")} />
    </>
  );
}

function One({ act }: { act: Act }) {
  const { t, i18n } = useTranslation("agents");
  const tweet = act.made ?? act.tweetId;
  return (
    <li>
      <strong>{t(`kinds.${act.kind}`)}</strong>
      <span className="muted">
        {t(`states.${act.state}`)}
        {act.problem && (
          <>
            {" "}
            <code dir="ltr">{act.problem}</code>
          </>
        )}
        {" · "}
        {dateAndTime(act.at, i18n.language)}
      </span>
      {act.text && <p dir="auto">{act.text}</p>}
      {tweet && act.state !== "refused" && <Link href={`/tweets/${tweet}`}>{t("tweet")}</Link>}
      {!tweet && act.target && (
        <Link href={`/users/${encodeURIComponent(act.target)}`}>{t("person")}</Link>
      )}
    </li>
  );
}
