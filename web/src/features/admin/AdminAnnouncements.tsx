import "../../i18n/small";
import "../../styles/small.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { sentence, tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import type { Announcement } from "../instance/announced";
import { toast } from "../../lib/toast";
import { OneAnnouncement } from "../instance/OneAnnouncement";
import { Empty, Failed, Loading } from "../../ui/states";
import { peopleKeys } from "../people/keys";
import { adminKeys } from "./keys";

const key = adminKeys.announcements;

/** What administrators tell everybody: all announcements, and a form for a new one. */
export default function AdminAnnouncements() {
  const { t } = useTranslation("small");
  const all = useQuery({
    queryKey: key,
    meta: { keep: false },
    queryFn: async () =>
      (await body(hibana.GET("/v1/admin/announcements", { params: { query: { format: "html" } } })))
        .items,
  });
  const again = () => {
    for (const name of [key, peopleKeys.announcements])
      void queries.invalidateQueries({ queryKey: name });
  };
  const remove = async ({ id, title }: Announcement) => {
    try {
      await hibana.DELETE("/v1/admin/announcements/{id}", { params: { path: { id } } });
      toast.success(t("admin.removed", { title }));
    } catch (failure) {
      tell(failure);
    }
    again();
  };
  if (all.isPending) return <Loading as="panels" rows={2} />;
  if (!all.data) return <Failed failure={all.error} again={() => void all.refetch()} />;
  return (
    <div className="settings announcements">
      <Form onSent={again} />
      {all.data.length === 0 && <Empty title={t("admin.none")} hint={t("admin.noneHint")} />}
      {all.data.map((one) => (
        <section key={one.id}>
          <OneAnnouncement of={one} now={all.dataUpdatedAt} />
          <button
            className="button small danger"
            aria-label={t("admin.removeOf", { title: one.title })}
            onClick={() => void remove(one)}
          >
            {t("admin.remove")}
          </button>
        </section>
      ))}
    </div>
  );
}

function Form({ onSent }: { onSent: () => void }) {
  const { t } = useTranslation("small");
  const [failure, setFailure] = useState("");
  const send = async (form: HTMLFormElement) => {
    setFailure("");
    const data = new FormData(form);
    const at = (name: string) => {
      const text = typed(data, name);
      return text ? { [name]: new Date(text).toISOString() } : {};
    };
    const title = typed(data, "title");
    const what: Schemas["NewAnnouncement"] = {
      title,
      text: typed(data, "text"),
      ...at("startsAt"),
      ...at("endsAt"),
    };
    try {
      await hibana.PUT("/v1/admin/announcements/{id}", {
        params: { path: { id: crypto.randomUUID() } },
        body: what,
      });
    } catch (problem) {
      return setFailure(sentence(problem));
    }
    form.reset();
    onSent();
    toast.success(t("admin.sent", { title }));
  };
  return (
    <section>
      <h2>{t("admin.new")}</h2>
      <form onSubmit={(event) => (event.preventDefault(), void send(event.currentTarget))}>
        <label className="field">
          <span>{t("admin.name")}</span>
          <input className="input" name="title" required maxLength={100} dir="auto" />
        </label>
        <label className="field">
          <span>{t("admin.text")}</span>
          <textarea className="input" name="text" rows={4} maxLength={2000} dir="auto" />
          <small>{t("admin.textHint")}</small>
        </label>
        <label className="field">
          <span>{t("admin.starts")}</span>
          <input className="input" name="startsAt" type="datetime-local" />
          <small>{t("admin.startsHint")}</small>
        </label>
        <label className="field">
          <span>{t("admin.ends")}</span>
          <input className="input" name="endsAt" type="datetime-local" />
          <small>{t("admin.endsHint")}</small>
        </label>
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <button className="button main">{t("admin.send")}</button>
      </form>
    </section>
  );
}
