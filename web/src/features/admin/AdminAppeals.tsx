import "../../i18n/appeals";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { When } from "../../lib/time";
import { toast } from "../../lib/toast";
import { Empty, Failed, Loading } from "../../ui/states";
import { More } from "../../ui/More";
import { adminKeys } from "./keys";

const key = adminKeys.appeals;

/** The appeals that wait for an answer, oldest first. */
export default function AdminAppeals() {
  const { t } = useTranslation("appeals");
  const all = useInfiniteQuery({
    queryKey: key,
    meta: { keep: false }, // they are about others
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: pageToken }) =>
      body(hibana.GET("/v1/admin/appeals", { params: { query: { pageToken } } })),
    getNextPageParam: (last) => last.nextPageToken || undefined,
    refetchOnMount: "always",
  });
  if (all.isPending) return <Loading as="panels" rows={2} />;
  if (!all.data) return <Failed failure={all.error} again={() => void all.refetch()} />;
  const items = all.data.pages.flatMap((page) => page.items);
  return (
    <>
      {items.length === 0 && <Empty title={t("none")} />}
      <ul className="settings">
        {items.map((one) => (
          <li key={one.id}>
            <One of={one} />
          </li>
        ))}
      </ul>
      <More of={all} label={t("more")} />
    </>
  );
}

function One({ of }: { of: Schemas["Appeal"] }) {
  const { t } = useTranslation("appeals");
  const [answer, setAnswer] = useState("");
  const [busy, setBusy] = useState(false);
  const decide = async (state: "upheld" | "reversed") => {
    setBusy(true);
    try {
      await hibana.PUT("/v1/admin/appeals/{id}", {
        params: { path: { id: of.id } },
        body: { state, answer },
      });
      toast.success(t("answered"));
    } catch (failure) {
      tell(failure);
    }
    setBusy(false);
    void queries.invalidateQueries({ queryKey: key });
  };
  return (
    <article aria-label={t(`acts.${of.act}`)}>
      <p>
        <strong>{t(`acts.${of.act}`)}</strong>{" "}
        <span className="muted">
          <When at={of.decidedAt} />
        </span>
      </p>
      {of.reason && (
        <p className="muted" dir="auto">
          {t("reason", { reason: of.reason })}
        </p>
      )}
      <blockquote className="plain" dir="auto">
        {of.text}
      </blockquote>
      <p>
        {of.tweetId && (
          <>
            <Link className="linklike" href={`/tweets/${of.tweetId}`}>
              {t("post")}
            </Link>{" "}
          </>
        )}
        <Link className="linklike" href={`/users/${of.userId}`}>
          {t("user")}
        </Link>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const button = event.nativeEvent.submitter as HTMLButtonElement | null;
          void decide(button?.value === "reversed" ? "reversed" : "upheld");
        }}
      >
        <label className="field">
          <span>{t("answer")}</span>
          <textarea
            className="input"
            rows={2}
            required
            maxLength={2000}
            dir="auto"
            value={answer}
            onChange={(event) => setAnswer(event.target.value)}
          />
        </label>
        <div className="choices">
          <button className="button" value="upheld" disabled={busy}>
            {t("uphold")}
          </button>
          <button className="button main" value="reversed" disabled={busy}>
            {t("reverse")}
          </button>
        </div>
      </form>
    </article>
  );
}
