import "../../i18n/agents";
import "../../styles/agents.css";
import "../../styles/instance.css";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { toast } from "../../lib/toast";
import { AgentActs } from "../agents/AgentActs";
import { AgentFacts } from "../agents/AgentFacts";
import { Empty, Failed, Loading } from "../../ui/states";
import { More } from "../../ui/More";
import { adminKeys } from "./keys";

const key = adminKeys.agents;

/** The agents of this server, newest first, what each did, and the AI models. */
export default function AdminAgents() {
  const { t } = useTranslation("agents");
  const all = useInfiniteQuery({
    queryKey: key,
    meta: { keep: false },
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: pageToken }) =>
      body(hibana.GET("/v1/admin/agents", { params: { query: { pageToken } } })),
    getNextPageParam: (last) => last.nextPageToken || undefined,
  });
  const items = all.data?.pages.flatMap((page) => page.items);
  return (
    <div className="settings">
      {all.isPending && <Loading rows={2} />}
      {items?.length === 0 && <Empty title={t("noAgents")} hint={t("noAgentsHint")} />}
      {items?.map((one) => (
        <One key={one.userId} of={one} />
      ))}
      {all.isError && !all.data && <Failed failure={all.error} again={() => void all.refetch()} />}
      <More of={all} label={t("more")} />
      <Models />
    </div>
  );
}

function One({ of }: { of: Schemas["Agent"] }) {
  const { t } = useTranslation("agents");
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(false);
  const uid = of.userId;
  const user = useQuery({
    queryKey: adminKeys.agentUser(uid),
    meta: { keep: false },
    queryFn: () => body(hibana.GET("/v1/users/{uid}", { params: { path: { uid } } })),
  });
  const name = user.data?.nickname || user.data?.username || uid;
  const run = async (running: boolean) => {
    setBusy(true);
    try {
      const { model, everyMinutes, budget } = of;
      await hibana.PUT("/v1/admin/agents/{uid}", {
        params: { path: { uid } },
        body: { model, everyMinutes, budget, running },
      });
      toast.success(t(running ? "startedNow" : "stoppedNow"));
    } catch (failure) {
      tell(failure);
    }
    await queries.invalidateQueries({ queryKey: key, exact: true });
    setBusy(false);
  };
  return (
    <section>
      <h2 className="instancepart" dir="auto">
        <Link href={`/users/${encodeURIComponent(uid)}`}>{name}</Link>
      </h2>
      <p>{t(of.running ? "running" : "stopped")}</p>
      <AgentFacts of={of} />
      <div className="instancerow">
        <button
          className={of.running ? "button danger" : "button"}
          disabled={busy}
          aria-label={t(of.running ? "stopOf" : "startOf", { name })}
          onClick={() => void run(!of.running)}
        >
          {t(of.running ? "stop" : "start")}
        </button>
        <button
          className="button"
          aria-expanded={open}
          aria-label={t("actsOf", { name })}
          onClick={() => setOpen(!open)}
        >
          {t("acts")}
        </button>
      </div>
      {open && (
        <AgentActs
          name={adminKeys.agentActs(uid)}
          page={(pageToken) =>
            body(
              hibana.GET("/v1/admin/agents/{uid}/acts", {
                params: { path: { uid }, query: pageToken ? { pageToken } : {} },
              }),
            )
          }
        />
      )}
    </section>
  );
}

function Models() {
  const { t } = useTranslation("agents");
  const all = useQuery({
    queryKey: adminKeys.models,
    meta: { keep: false },
    queryFn: () => body(hibana.GET("/v1/ai-models")),
  });
  return (
    <section>
      <h2>{t("models")}</h2>
      {all.isPending && <Loading rows={1} />}
      {all.isError && !all.data && <Failed failure={all.error} again={() => void all.refetch()} />}
      {all.data?.items.length === 0 && <Empty title={t("noModels")} />}
      <ul className="agentacts">
        {all.data?.items.map(({ label, provider, input, output, enabled }) => (
          <li key={label}>
            <strong dir="auto">{label}</strong>
            <span className="muted" dir="auto">
              {provider}
            </span>
            <p>{t("price", { input, output })}</p>
            <p>{t(enabled ? "enabled" : "disabled")}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
