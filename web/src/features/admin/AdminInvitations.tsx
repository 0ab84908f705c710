import "../../styles/instance.css";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { copied } from "../../lib/clipboard";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { sentence, tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { invitationLink } from "../instance/instance";
import { toast } from "../../lib/toast";
import { Empty, Failed, Loading } from "../../ui/states";
import { More } from "../../ui/More";
import { adminKeys } from "./keys";
import { dateAndTime } from "../../lib/dates";

const key = adminKeys.invitations;
const again = () => queries.invalidateQueries({ queryKey: key });

/** The invitations, newest first, and a form for a new one. */
export default function AdminInvitations() {
  const { t } = useTranslation("instance");
  const all = useInfiniteQuery({
    queryKey: key,
    meta: { keep: false }, // whoever has a code signs up
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: pageToken }) =>
      body(hibana.GET("/v1/admin/invitations", { params: { query: { pageToken } } })),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  const items = all.data?.pages.flatMap((page) => page.items);
  return (
    <div className="settings">
      <Form />
      {all.isPending && <Loading rows={2} />}
      {items?.length === 0 && <Empty title={t("invitations.none")} />}
      {items?.map((one) => (
        <One key={one.code} of={one} />
      ))}
      {all.isError && !all.data && <Failed failure={all.error} again={() => void all.refetch()} />}
      <More of={all} label={t("invitations.more")} />
    </div>
  );
}

function One({ of }: { of: Schemas["Invitation"] }) {
  const { t, i18n } = useTranslation("instance");
  const link = invitationLink(of.code);
  const copy = async () => {
    if (await copied(link)) toast.success(t("invitations.copied"));
    else toast.error(t("invitations.noCopy"));
  };
  const revoke = async () => {
    try {
      const { code } = of;
      await hibana.DELETE("/v1/admin/invitations/{code}", { params: { path: { code } } });
      toast.success(t("invitations.revoked"));
    } catch (failure) {
      tell(failure);
    }
    void again();
  };
  return (
    <section>
      {of.note && (
        <h2 className="instancepart" dir="auto">
          {of.note}
        </h2>
      )}
      <p>
        {t("invitations.used", {
          uses: of.uses,
          most: of.maxUses,
          when: dateAndTime(of.expireAt, i18n.language),
        })}
      </p>
      <div className="instancerow">
        <input
          className="input"
          aria-label={t("invitations.link")}
          readOnly
          dir="ltr"
          value={link}
          onFocus={(event) => event.target.select()}
        />
        <button className="button small" onClick={() => void copy()}>
          {t("invitations.copy")}
        </button>
        <button
          className="button small danger"
          aria-label={t("invitations.revokeOf", { code: of.code })}
          onClick={() => void revoke()}
        >
          {t("invitations.revoke")}
        </button>
      </div>
    </section>
  );
}

function Form() {
  const { t } = useTranslation("instance");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const make = async (form: HTMLFormElement) => {
    setBusy(true);
    setFailure("");
    const data = new FormData(form);
    const note = typed(data, "note");
    try {
      await body(
        hibana.POST("/v1/admin/invitations", {
          body: {
            maxUses: Number(typed(data, "uses")),
            days: Number(typed(data, "days")),
            ...(note ? { note } : {}),
          },
        }),
      );
      form.reset();
      toast.success(t("invitations.made"));
      void again();
    } catch (problem) {
      setFailure(sentence(problem));
    }
    setBusy(false);
  };
  return (
    <section>
      <h2>{t("invitations.new")}</h2>
      <form onSubmit={(event) => (event.preventDefault(), void make(event.currentTarget))}>
        <div className="instancerow">
          <label className="field">
            <span>{t("invitations.uses")}</span>
            <input
              className="input"
              name="uses"
              type="number"
              min={1}
              max={1000}
              required
              defaultValue={1}
            />
          </label>
          <label className="field">
            <span>{t("invitations.days")}</span>
            <input
              className="input"
              name="days"
              type="number"
              min={1}
              max={90}
              required
              defaultValue={7}
            />
          </label>
        </div>
        <label className="field">
          <span>{t("invitations.note")}</span>
          <input className="input" name="note" maxLength={100} dir="auto" />
        </label>
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <button className="button main" disabled={busy}>
          {t("invitations.make")}
        </button>
      </form>
    </section>
  );
}
