import "../../i18n/trends";
import "../../styles/instance.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { choose, useChosen } from "../../lib/choices";
import { tell } from "../../lib/failures";
import { toast } from "../../lib/toast";
import { Failed, Loading } from "../../ui/states";
import { Toggle } from "../../ui/Toggle";
import { adminKeys } from "./keys";

type Rising = Schemas["ReviewedTrend"];
type Decision = Schemas["TrendDecisionBody"]["decision"];

const key = adminKeys.trends;

/** What rises, and what administrators decided about it. */
export default function AdminTrends() {
  const { t } = useTranslation("trends");
  const read = useQuery({
    queryKey: key,
    meta: { keep: false }, // others do not see what waits
    queryFn: async () => ({
      ...(await body(hibana.GET("/v1/admin/trends", {}))),
      id: "trendReview",
    }),
    refetchOnMount: "always",
  });
  const review = useChosen(read.data);
  if (read.isPending) return <Loading as="panels" rows={3} />;
  if (!review) return <Failed failure={read.error} again={() => void read.refetch()} />;
  const { needed, waiting, shown, allowed, refused } = review;
  const need = (on: boolean) =>
    choose(review, "needed", on, {
      send: ({ needed = on }, sending) =>
        hibana.PUT("/v1/admin/trends/review", { body: { needed }, ...sending }),
    });
  return (
    <div className="settings">
      <section>
        <Toggle label={t("needed")} on={needed} onChange={(on) => void need(on)} />
        <p className="muted">{t("neededHint")}</p>
      </section>
      {(needed || waiting.length > 0) && (
        <List title={t("waiting")} none={t("waitingNone")} of={waiting} acts={both} />
      )}
      <List title={t("shown")} none={t("shownNone")} of={shown} acts={both} />
      <List
        title={t("decided")}
        none={t("decidedNone")}
        of={[
          ...refused.map((tag) => ({ tag, is: "refused" as const })),
          ...allowed.map((tag) => ({ tag, is: "allowed" as const })),
        ]}
        acts={["undecided"]}
      />
    </div>
  );
}

const both: Decision[] = ["allowed", "refused"];
const names = { allowed: "allow", refused: "refuse", undecided: "back" } as const;

type Row = Partial<Rising> & { is?: "allowed" | "refused" };

function List({
  title,
  none,
  of,
  acts,
}: {
  title: string;
  none: string;
  of: Row[];
  acts: Decision[];
}) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {of.length === 0 && <p className="muted">{none}</p>}
      {of.map((row) => (
        <One key={row.tag ?? row.tweetId} row={row} acts={acts} />
      ))}
    </section>
  );
}

function One({ row, acts }: { row: Row; acts: Decision[] }) {
  const { t } = useTranslation("trends");
  const [busy, setBusy] = useState(false);
  const name = row.tag ? `#${row.content ?? row.tag}` : t("post");
  const decide = async (decision: Decision) => {
    setBusy(true);
    try {
      await (row.tag
        ? hibana.PUT("/v1/admin/trends/tags/{tag}", {
            params: { path: { tag: row.tag } },
            body: { decision },
          })
        : hibana.PUT("/v1/admin/trends/tweets/{id}", {
            params: { path: { id: row.tweetId! } },
            body: { decision },
          }));
      toast.success(t("done"));
      await queries.invalidateQueries({ queryKey: key });
    } catch (failure) {
      tell(failure);
    }
    setBusy(false);
  };
  return (
    <div className="instancerow" role="group" aria-label={name}>
      <p style={{ minWidth: 0, overflowWrap: "anywhere" }}>
        <Link className="linklike" href={href(row)}>
          <bdi>{name}</bdi>
        </Link>{" "}
        <span className="muted">
          {row.is ? t(row.is) : t("uses", { count: row.useCount ?? 0 })}
        </span>
      </p>
      {acts.map((act) => (
        <button
          key={act}
          className={act === "refused" ? "button small danger" : "button small"}
          aria-label={t("by", { act: t(names[act]), name })}
          disabled={busy}
          onClick={() => void decide(act)}
        >
          {t(names[act])}
        </button>
      ))}
    </div>
  );
}

const href = (row: Row) =>
  row.tag ? `/tags/${encodeURIComponent(row.tag)}` : `/tweets/${row.tweetId}`;
