import "../../styles/instance.css";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, queries } from "../../lib/api";
import { tell } from "../../lib/failures";
import type { SignUp } from "../account/signups";
import { toast } from "../../lib/toast";
import AdminSignUpBlocks from "./AdminSignUpBlocks";
import { Empty, Failed, Loading } from "../../ui/states";
import { More } from "../../ui/More";
import { adminKeys } from "./keys";
import { dateAndTime } from "../../lib/dates";

const key = adminKeys.signUps;

/** The sign-ups that wait for approval, oldest first. */
export default function AdminSignUps() {
  const { t } = useTranslation("instance");
  const all = useInfiniteQuery({
    queryKey: key,
    meta: { keep: false },
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: pageToken }) =>
      body(hibana.GET("/v1/admin/sign-ups", { params: { query: { pageToken } } })),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  const items = all.data?.pages.flatMap((page) => page.items);
  return (
    <div className="settings">
      {all.isPending && <Loading rows={2} />}
      {items?.length === 0 && <Empty title={t("signUps.none")} />}
      {items?.map((one) => (
        <One key={one.userId} of={one} />
      ))}
      {all.isError && !all.data && <Failed failure={all.error} again={() => void all.refetch()} />}
      <More of={all} label={t("signUps.more")} />
      <AdminSignUpBlocks />
    </div>
  );
}

function One({ of }: { of: SignUp }) {
  const { t, i18n } = useTranslation("instance");
  const [answer, setAnswer] = useState("");
  const [busy, setBusy] = useState(false);
  const path = { uid: of.userId };
  const decide = async (approve: boolean) => {
    setBusy(true);
    try {
      if (approve)
        await body(
          hibana.PUT("/v1/admin/sign-ups/{uid}/approval", {
            params: { path, query: { askedAt: of.askedAt } },
          }),
        );
      else
        await hibana.PUT("/v1/admin/sign-ups/{uid}/refusal", {
          params: { path },
          body: { answer },
        });
      toast.success(t(approve ? "signUps.approved" : "signUps.wasRefused", { name: of.username }));
    } catch (failure) {
      tell(failure);
    }
    setBusy(false);
    void queries.invalidateQueries({ queryKey: key });
  };
  return (
    <section aria-label={of.username}>
      <h2 className="instancepart">
        <bdi>{of.nickname}</bdi> <span className="muted">@{of.username}</span>
      </h2>
      <p className="muted instancepart">
        {of.email} · {dateAndTime(of.createdAt, i18n.language)}
      </p>
      {of.reason && (
        <p className="instancepart" dir="auto">
          {of.reason}
        </p>
      )}
      <div className="instancerow">
        <button className="button main" disabled={busy} onClick={() => void decide(true)}>
          {t("signUps.approve")}
        </button>
        <input
          className="input"
          aria-label={t("signUps.answer")}
          placeholder={t("signUps.answer")}
          maxLength={500}
          dir="auto"
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
        />
        <button className="button danger" disabled={busy} onClick={() => void decide(false)}>
          {t("signUps.refuse")}
        </button>
      </div>
    </section>
  );
}
