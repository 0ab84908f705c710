import "../../styles/instance.css";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { sentence, tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { toast } from "../../lib/toast";
import { Failed, Loading } from "../../ui/states";
import { adminKeys } from "./keys";

const key = adminKeys.domains;
const again = () => queries.invalidateQueries({ queryKey: key });
const severities = ["suspend", "silence", "noop", "allow"] as const;

/** What administrators decided on domains of the fediverse, and forms for another rule and for a list. */
export default function AdminDomains() {
  const { t } = useTranslation("domains");
  const all = useInfiniteQuery({
    queryKey: key,
    meta: { keep: false },
    initialPageParam: "",
    queryFn: ({ pageParam }) =>
      body(
        hibana.GET("/v1/admin/fediverse-domains", {
          params: { query: pageParam ? { after: pageParam } : {} },
        }),
      ),
    getNextPageParam: (page) => page.next || undefined,
  });
  const first = all.data?.pages[0];
  return (
    <div className="settings">
      <h2>{t("title")}</h2>
      <p className="muted">{t("hint")}</p>
      {first?.only && <p className="notice">{t("only")}</p>}
      <Form />
      <List />
      {all.isPending && <Loading rows={1} />}
      {all.isError && <Failed failure={all.error} again={() => void all.refetch()} />}
      {first && (
        <p className="muted">{first.total ? t("count", { total: first.total }) : t("none")}</p>
      )}
      {all.data?.pages.flatMap((page) =>
        page.items.map((one) => <One key={one.domain} of={one} />),
      )}
      {all.hasNextPage && (
        <button
          className="button"
          disabled={all.isFetchingNextPage}
          onClick={() => void all.fetchNextPage()}
        >
          {t("more")}
        </button>
      )}
    </div>
  );
}

function One({ of }: { of: Schemas["FediverseDomain"] }) {
  const { t } = useTranslation("domains");
  const remove = async () => {
    try {
      await hibana.DELETE("/v1/admin/fediverse-domains/{domain}", {
        params: { path: { domain: of.domain } },
      });
      toast.success(t("removed", { of: of.domain }));
    } catch (failure) {
      tell(failure);
    }
    void again();
  };
  const parts = [
    t(of.severity),
    of.rejectMedia && t("rejectMedia"),
    of.rejectReports && t("rejectReports"),
  ].filter(Boolean);
  return (
    <section aria-label={of.domain}>
      <h3 className="instancepart" dir="ltr">
        {of.domain}
      </h3>
      {[of.publicComment, of.privateComment].filter(Boolean).map((comment) => (
        <p className="instancepart" dir="auto" key={comment}>
          {comment}
        </p>
      ))}
      <div className="instancerow">
        <p className="muted">{parts.join(" · ")}</p>
        <button
          className="button small danger"
          aria-label={t("removeOf", { of: of.domain })}
          onClick={() => void remove()}
        >
          {t("remove")}
        </button>
      </div>
    </section>
  );
}

function Form() {
  const { t } = useTranslation("domains");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const save = async (form: HTMLFormElement) => {
    setBusy(true);
    setFailure("");
    const data = new FormData(form);
    const domain = typed(data, "domain");
    const severity = severities.find((one) => one === typed(data, "severity")) ?? "suspend";
    try {
      await hibana.PUT("/v1/admin/fediverse-domains/{domain}", {
        params: { path: { domain } },
        body: {
          severity,
          rejectMedia: data.has("rejectMedia"),
          rejectReports: data.has("rejectReports"),
          publicComment: typed(data, "publicComment"),
          privateComment: typed(data, "privateComment"),
        },
      });
      form.reset();
      toast.success(t("saved", { of: domain }));
      void again();
    } catch (problem) {
      setFailure(sentence(problem));
    }
    setBusy(false);
  };
  return (
    <section aria-label={t("new")}>
      <h3>{t("new")}</h3>
      <form onSubmit={(event) => (event.preventDefault(), void save(event.currentTarget))}>
        <label className="field">
          <span>{t("domain")}</span>
          <input
            className="input"
            name="domain"
            required
            maxLength={260}
            dir="ltr"
            autoComplete="off"
            placeholder="example.com"
          />
        </label>
        <label className="field">
          <span>{t("severity")}</span>
          <select className="input" name="severity" defaultValue="suspend">
            {severities.map((one) => (
              <option key={one} value={one}>
                {t(one)}
              </option>
            ))}
          </select>
        </label>
        {(["rejectMedia", "rejectReports"] as const).map((one) => (
          <label className="termscheck" key={one}>
            <input type="checkbox" name={one} />
            <span>{t(one)}</span>
          </label>
        ))}
        {(["publicComment", "privateComment"] as const).map((one) => (
          <label className="field" key={one}>
            <span>{t(one)}</span>
            <input className="input" name={one} maxLength={100} dir="auto" />
          </label>
        ))}
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <button className="button main" disabled={busy}>
          {t("save")}
        </button>
      </form>
    </section>
  );
}

/** Imports a list of another server. */
function List() {
  const { t, i18n } = useTranslation("domains");
  const [failure, setFailure] = useState("");
  const [result, setResult] = useState<Schemas["FediverseImport"]>();
  const [busy, setBusy] = useState(false);
  const read = async (form: HTMLFormElement) => {
    setBusy(true);
    setFailure("");
    setResult(undefined);
    try {
      const file = new FormData(form).get("file");
      const csv = file instanceof File ? await file.text() : "";
      setResult(await body(hibana.POST("/v1/admin/fediverse-domains", { body: { csv } })));
      form.reset();
      void again();
    } catch (problem) {
      setFailure(sentence(problem));
    }
    setBusy(false);
  };
  return (
    <section aria-label={t("import")}>
      <h3>{t("import")}</h3>
      <p className="muted">{t("importHint")}</p>
      <form onSubmit={(event) => (event.preventDefault(), void read(event.currentTarget))}>
        <label className="field">
          <span>{t("file")}</span>
          <input className="input" name="file" type="file" accept=".csv,text/csv" required />
        </label>
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        {result && (
          <p role="status">
            {t("imported", {
              added: result.added,
              stricter: result.stricter,
              kept: result.kept,
            })}
            {result.skipped.length > 0 && (
              <>
                <br />
                {t("skipped", {
                  lines: new Intl.ListFormat(i18n.language).format(result.skipped.map(String)),
                })}
              </>
            )}
          </p>
        )}
        <button className="button" disabled={busy}>
          {t("importNow")}
        </button>
      </form>
    </section>
  );
}
