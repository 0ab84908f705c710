import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { toast } from "../../lib/toast";
import { hibana, type Schemas, type Tweet } from "../../lib/api";
import { tell } from "../../lib/failures";
import { Dialog } from "../../ui/Dialog";

type Reason = Schemas["NewReport"]["reason"];
const reasons: Reason[] = [
  "spam",
  "harassment",
  "hate",
  "violence",
  "sexual",
  "self_harm",
  "illegal",
  "impersonation",
  "other",
];

/** Tells moderators of a tweet, a person or a message. */
export default function Report({
  tweet,
  user,
  message,
  onClose,
}: {
  tweet?: Tweet | undefined;
  user?: { id: string; remote?: Schemas["Remote"] | undefined } | undefined;
  message?: { conversationId: string; messageId: string } | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [reason, setReason] = useState<Reason>("spam");
  const [text, setText] = useState("");
  const [forward, setForward] = useState(false);
  const remote = message ? undefined : (tweet ?? user)?.remote;
  const send = async () => {
    try {
      await hibana.POST("/v1/reports", {
        body: {
          reason,
          text,
          ...(remote && forward ? { forward } : {}),
          ...(message ?? (tweet ? { tweetId: tweet.id } : { userId: user!.id })),
        },
      });
      toast.success(t("report.sent"));
      onClose();
    } catch (failure) {
      tell(failure);
    }
  };
  return (
    <Dialog title={t("report.title")} onClose={onClose}>
      <form
        className="inside"
        style={{ padding: 0 }}
        onSubmit={(event) => (event.preventDefault(), void send())}
      >
        <label className="field">
          <span>{t("report.reason")}</span>
          <select
            className="input"
            value={reason}
            onChange={(event) => setReason(event.target.value as Reason)}
          >
            {reasons.map((r) => (
              <option key={r} value={r}>
                {t(`report.reasons.${r}`)}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{t("report.text")}</span>
          <textarea
            className="input"
            rows={4}
            maxLength={1000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        {remote && (
          <label className="termscheck">
            <input
              type="checkbox"
              checked={forward}
              onChange={(event) => setForward(event.target.checked)}
            />
            <span>{t("report.forward", { host: remote.host })}</span>
          </label>
        )}
        <button className="button main">{t("report.send")}</button>
      </form>
    </Dialog>
  );
}
