import "../../i18n/appeals";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { sentence } from "../../lib/failures";
import { Top } from "../../ui/Top";
import { Parent } from "../../ui/Parent";
import { Empty, Failed, Loading } from "../../ui/states";
import { dateAndTime } from "../../lib/dates";
import { When } from "../../lib/time";
import { toast } from "../../lib/toast";
import { More } from "../../ui/More";
import { moderationKeys } from "./keys";

type Decision = Schemas["Decision"];
const key = moderationKeys.decisions;

/** What moderators decided about the reader, and the reader's appeals. */
export default function Decisions() {
  const { t } = useTranslation("appeals");
  const all = useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: pageToken }) =>
      body(hibana.GET("/v1/users/me/decisions", { params: { query: { pageToken } } })),
    getNextPageParam: (last) => last.nextPageToken || undefined,
    refetchOnMount: "always",
  });
  const items = all.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <Top title={t("own.title")} />
      <div className="settings">
        <Parent />
        {all.isPending && <Loading rows={2} />}
        {items?.length === 0 && !all.hasNextPage && <Empty title={t("own.none")} />}
        {items?.map((one) => (
          <One key={one.id} of={one} />
        ))}
        {all.isError && !all.data && (
          <Failed failure={all.error} again={() => void all.refetch()} />
        )}
        <More of={all} label={t("more")} />
      </div>
    </>
  );
}

function One({ of }: { of: Decision }) {
  const { t } = useTranslation("appeals");
  return (
    <section aria-label={t(`acts.${of.act}`)}>
      <h2>{t(`acts.${of.act}`)}</h2>
      <p className="muted">
        <When at={of.at} />
      </p>
      {of.appeal ? <Appealed of={of.appeal} /> : <Form of={of} />}
    </section>
  );
}

function Appealed({ of }: { of: Schemas["OwnAppeal"] }) {
  const { t } = useTranslation("appeals");
  return (
    <>
      <blockquote className="plain" dir="auto">
        {of.text}
      </blockquote>
      <p>
        <strong>{t(`own.${of.state}`)}</strong>
      </p>
      {of.answer && (
        <p className="plain" dir="auto">
          {of.answer}
        </p>
      )}
    </>
  );
}

function Form({ of }: { of: Decision }) {
  const { t, i18n } = useTranslation("appeals");
  const [text, setText] = useState("");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  if (new Date(of.appealUntil) < new Date()) return <p className="muted">{t("own.late")}</p>;
  const send = async () => {
    setBusy(true);
    setFailure("");
    try {
      await hibana.PUT("/v1/users/me/decisions/{id}/appeal", {
        params: { path: { id: of.id } },
        body: { text },
      });
      toast.success(t("own.sent"));
      await queries.invalidateQueries({ queryKey: key });
    } catch (problem) {
      setFailure(sentence(problem));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => (event.preventDefault(), void send())}>
      <label className="field">
        <span>{t("own.text")}</span>
        <textarea
          className="input"
          rows={3}
          required
          maxLength={2000}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <small>{t("own.until", { when: dateAndTime(of.appealUntil, i18n.language) })}</small>
      </label>
      {failure && (
        <p className="notice" role="alert">
          {failure}
        </p>
      )}
      <button className="button main" disabled={busy}>
        {t("own.send")}
      </button>
    </form>
  );
}
