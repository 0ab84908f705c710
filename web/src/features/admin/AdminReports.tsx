import { useInfiniteQuery, type InfiniteData } from "@tanstack/react-query";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, changeList, hibana, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { When } from "../../lib/time";
import { toast } from "../../lib/toast";
import { Shown } from "../media/Shown";
import { Empty, Failed, Loading } from "../../ui/states";
import { More } from "../../ui/More";
import { adminKeys } from "./keys";

type Report = Schemas["Report"];
type List = InfiniteData<{ items: Report[]; nextPageToken: string }>;
const key = adminKeys.reports;

/** The open reports, oldest first. */
export function Reports() {
  const { t } = useTranslation(["admin", "translation"]);
  const query = useInfiniteQuery({
    queryKey: key,
    meta: { keep: false }, // they are about others
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(
        hibana.GET("/v1/admin/reports", {
          params: { query: { counts: true, pageToken: pageParam } },
        }),
      ),
    getNextPageParam: (last) => last.nextPageToken || undefined,
    refetchOnMount: "always",
  });
  if (query.isPending) return <Loading as="panels" rows={2} />;
  if (!query.data) return <Failed failure={query.error} again={() => void query.refetch()} />;
  const reports = query.data.pages.flatMap((page) => page.items);
  return (
    <>
      {reports.length === 0 && !query.hasNextPage && (
        <Empty title={t("reports.none")} hint={t("reports.noneHint")} />
      )}
      <ul className="settings">
        {reports.map((report) => (
          <li key={report.id}>
            <One report={report} />
          </li>
        ))}
      </ul>
      <More of={query} label={t("admin:more")} />
    </>
  );
}

/** A reported message as it was: moderators see no other message. */
function ReportedMessage({ of, message }: { of: Report; message: Schemas["ReportedMessage"] }) {
  const { t } = useTranslation("admin");
  const pictures = {
    id: message.messageId,
    media: message.media ?? [],
    author: { nickname: of.userId },
    reread: async () => {
      await queries.invalidateQueries({ queryKey: key });
      const reports = queries.getQueryData<List>(key)?.pages.flatMap((page) => page.items) ?? [];
      return reports.find(({ id }) => id === of.id)?.message?.media ?? [];
    },
  };
  return (
    <blockquote aria-label={t("reports.message")}>
      <p className="muted">
        {t("reports.message")} · <When at={message.createdAt} />
      </p>
      {message.text && (
        <p className="plain" dir="auto">
          {message.text}
        </p>
      )}
      <Shown tweet={pictures} />
    </blockquote>
  );
}

function One({ report }: { report: Report }) {
  const { t } = useTranslation(["admin", "translation"]);
  const resolve = async (form: FormData, decision: "acted" | "dismissed") => {
    try {
      await hibana.PUT("/v1/admin/reports/{id}", {
        params: { path: { id: report.id } },
        body: { decision, note: typed(form, "note") },
      });
      await changeList<List>(key, (list) => ({
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.filter((one) => one.id !== report.id),
        })),
      }));
      toast.success(t("reports.done"));
    } catch (failure) {
      tell(failure);
    }
  };
  return (
    <article aria-label={t(`translation:report.reasons.${report.reason as "spam"}`)}>
      <p>
        <strong>{t(`translation:report.reasons.${report.reason as "spam"}`)}</strong>{" "}
        <span className="muted">
          <When at={report.createdAt} /> · {t("reports.open", { count: report.openReports ?? 1 })}
        </span>
      </p>
      {report.text && <p className="plain">{report.text}</p>}
      {report.message && <ReportedMessage of={report} message={report.message} />}
      <p>
        {report.tweetId && (
          <>
            <Link className="linklike" href={`/tweets/${report.tweetId}`}>
              {t("reports.tweet")}
            </Link>{" "}
          </>
        )}
        <Link className="linklike" href={`/users/${report.userId}`}>
          {t("reports.user")}
        </Link>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const button = event.nativeEvent.submitter as HTMLButtonElement | null;
          void resolve(
            new FormData(event.currentTarget),
            button?.value === "acted" ? "acted" : "dismissed",
          );
        }}
      >
        <label className="field">
          <span>{t("reports.note")}</span>
          <input className="input" name="note" maxLength={1000} autoComplete="off" />
        </label>
        <div className="choices">
          <button className="button" value="dismissed">
            {t("reports.dismissed")}
          </button>
          <button className="button main" value="acted">
            {t("reports.acted")}
          </button>
        </div>
      </form>
    </article>
  );
}
