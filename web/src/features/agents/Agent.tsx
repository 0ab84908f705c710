import "../../i18n/agents";
import "../../styles/agents.css";
import "../../styles/instance.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { body, hibana, HibanaError, queries } from "../../lib/api";
import { tell } from "../../lib/failures";
import { AgentActs } from "./AgentActs";
import { AgentFacts } from "./AgentFacts";
import { Top } from "../../ui/Top";
import { Parent } from "../../ui/Parent";
import { Empty, Failed, Loading } from "../../ui/states";
import { toast } from "../../lib/toast";
import { agentKeys } from "./keys";

const key = agentKeys.mine;

/** The agent that acts for the reader's account: what it did, and a way to stop it. */
export default function Agent() {
  const { t } = useTranslation("agents");
  const found = useQuery({
    queryKey: key,
    meta: { keep: false },
    queryFn: async () => {
      try {
        return await body(hibana.GET("/v1/users/me/agent"));
      } catch (failure) {
        if (failure instanceof HibanaError && failure.code === "no_agent") return null;
        throw failure;
      }
    },
  });
  const [busy, setBusy] = useState(false);
  const agent = found.data;
  const run = async (running: boolean) => {
    setBusy(true);
    try {
      const after = await body(hibana.PUT("/v1/users/me/agent", { body: { running } }));
      queries.setQueryData(key, after);
      toast.success(t(running ? "startedNow" : "stoppedNow"));
    } catch (failure) {
      tell(failure);
    }
    setBusy(false);
  };
  return (
    <>
      <Top title={t("title")} />
      <div className="settings">
        <Parent />
        {found.isPending && <Loading rows={2} />}
        {found.isError && <Failed failure={found.error} again={() => void found.refetch()} />}
        {agent === null && <Empty title={t("none")} hint={t("noneHint")} />}
        {agent && (
          <>
            <section>
              <h2>{t(agent.running ? "running" : "stopped")}</h2>
              <AgentFacts of={agent} />
              <button
                className={agent.running ? "button danger" : "button main"}
                disabled={busy}
                onClick={() => void run(!agent.running)}
              >
                {t(agent.running ? "stop" : "start")}
              </button>
            </section>
            <section>
              <h2>{t("acts")}</h2>
              <AgentActs
                name={agentKeys.acts}
                page={(pageToken) =>
                  body(
                    hibana.GET("/v1/users/me/agent/acts", {
                      params: { query: pageToken ? { pageToken } : {} },
                    }),
                  )
                }
              />
            </section>
          </>
        )}
      </div>
    </>
  );
}
