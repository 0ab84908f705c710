import "../../i18n/messages";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { useLocation } from "wouter";
import { answer, nameOf, type Conversation } from "./messages";
import { show } from "../../lib/overlays";
import { useTies } from "../people/ties";
import { toast } from "../../lib/toast";

/** What can be done with a request: accept it, refuse it, block or report who sent it. */
export function RequestActs({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation("messages");
  const [busy, setBusy] = useState(false);
  const [path, go] = useLocation();
  const { id, members, requestedBy, lastMessage } = conversation;
  const asker = members.find((one) => one.id === requestedBy);
  const blocked = useTies(asker?.id ?? "").data?.blocking ?? false;
  const name = nameOf(asker);
  const act = async (accept: boolean, quiet = false) => {
    setBusy(true);
    if (!(await answer(id, accept))) return setBusy(false);
    if (accept) go(`/messages/${id}`);
    else {
      if (!quiet) toast(t("request.refused"));
      if (path !== "/messages") go("/messages?requests");
    }
  };
  const label = (key: "accept" | "refuse" | "block" | "report") =>
    t("request.by", { act: t(`request.${key}`), name });
  return (
    <p className="requestacts">
      <button
        className="button small main"
        aria-label={label("accept")}
        disabled={busy}
        onClick={() => void act(true)}
      >
        {t("request.accept")}
      </button>
      <button
        className="button small"
        aria-label={label("refuse")}
        disabled={busy}
        onClick={() => void act(false)}
      >
        {t("request.refuse")}
      </button>
      {asker && !blocked && (
        <button
          className="button small danger"
          aria-label={label("block")}
          onClick={() =>
            show({
              kind: "hush",
              how: "block",
              user: { id: asker.id, nickname: name },
              then: () => void act(false, true),
            })
          }
        >
          {t("request.block")}
        </button>
      )}
      {lastMessage && (
        <button
          className="button small danger"
          aria-label={label("report")}
          onClick={() =>
            show({
              kind: "report",
              message: { conversationId: id, messageId: lastMessage.id },
            })
          }
        >
          {t("request.report")}
        </button>
      )}
    </p>
  );
}
