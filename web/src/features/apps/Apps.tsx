import "../../i18n/apps";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { useTranslation } from "../../lib/speech";
import { When } from "../../lib/time";
import { toast } from "../../lib/toast";
import { Parent } from "../../ui/Parent";
import { Top } from "../../ui/Top";
import { Empty, Failed, Loading } from "../../ui/states";
import { Allowed } from "./Allowed";
import { appKeys } from "./keys";

/** The apps that the reader let in, each with a way out. */
export default function Apps() {
  const { t } = useTranslation("apps");
  const read = useQuery({
    queryKey: appKeys.mine,
    meta: { keep: false },
    refetchOnMount: "always",
    queryFn: () => body(hibana.GET("/v1/authorizations", {})),
  });
  return (
    <>
      <Top title={t("title")} />
      <div className="settings">
        <Parent />
        <p className="muted">{t("about")}</p>
        {read.isPending && <Loading rows={2} />}
        {read.isError && <Failed failure={read.error} again={() => void read.refetch()} />}
        {read.data?.items.length === 0 && <Empty title={t("none")} />}
        {read.data?.items.map((one) => (
          <One key={one.id} of={one} />
        ))}
      </div>
    </>
  );
}

function One({ of }: { of: Schemas["AuthorizedApp"] }) {
  const { t } = useTranslation("apps");
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await hibana.DELETE("/v1/authorizations/{id}", { params: { path: { id: of.id } } });
      toast.success(t("removed", { name: of.name }));
      await queries.invalidateQueries({ queryKey: appKeys.mine, exact: true });
    } catch (failure) {
      tell(failure);
      setBusy(false);
    }
  };
  return (
    <section aria-label={of.name}>
      <h2 dir="auto" style={{ overflowWrap: "anywhere" }}>
        {of.name}
      </h2>
      {of.website && (
        <p className="muted" style={{ overflowWrap: "anywhere" }}>
          {of.website}
        </p>
      )}
      <p className="muted">
        {t("since")} <When at={of.since} /> · {t("used")} <When at={of.lastUsedAt} />
      </p>
      <p>{t("may")}</p>
      <Allowed scopes={of.scopes} />
      <button
        className="button danger"
        disabled={busy}
        aria-label={t("removeOf", { name: of.name })}
        onClick={() => void remove()}
      >
        {t("remove")}
      </button>
    </section>
  );
}
