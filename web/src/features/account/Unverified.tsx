import "../../i18n/later";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { addressConfirmed, confirmAddress, doorSentence } from "./accounts";
import { drawn } from "../../lib/drawn";
import { useSession } from "../../lib/session";
import { toast } from "../../lib/toast";
import { unverified } from "../../lib/verify";

/**
 * Says whether the address of the account is confirmed, and sends the letter for that again. It
 * looks anew whenever somebody comes back to the page.
 */
export default function Unverified() {
  const { t } = useTranslation();
  const { account } = useSession();
  const [done, setDone] = useState(account?.emailVerified ?? false);
  const [busy, setBusy] = useState(false);
  const confirmed = useEffectEvent(() => {
    setDone(true);
    unverified(false);
    toast.success(t("verify.confirmed"));
  });
  useEffect(() => {
    if (done) return;
    const look = () =>
      void (
        document.visibilityState === "visible" &&
        addressConfirmed().then(
          (is) => is && confirmed(),
          () => undefined,
        )
      );
    // What asks comes with Firebase Auth, when the page is there.
    void drawn.then(look);
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [done]);
  const email = account?.email;
  if (!email) return null;
  if (done) return <p className="muted">{t("verify.confirmed")}</p>;
  const send = async () => {
    setBusy(true);
    try {
      await confirmAddress();
      toast.success(t("verify.sent", { email }));
    } catch (failure) {
      toast.error(doorSentence(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="notice" role="status">
      <span>{t("verify.wanted", { email })}</span>
      <button className="button" disabled={busy} onClick={() => void send()}>
        {t("verify.again")}
      </button>
    </div>
  );
}
