import "../../styles/instance.css";
import { useTranslation } from "../../lib/speech";
import { hibana, queries } from "../../lib/api";
import { tell } from "../../lib/failures";
import { meKey, signOut } from "../../lib/session";
import { useTitle } from "../../lib/title";
import { forgetSignUp, signUpKey, type SignUp } from "./signups";
import { Fireworks } from "../../ui/Spark";

/** A sign-up that waits for an administrator, or was refused. */
export default function Waiting({ of, onChange }: { of: SignUp; onChange: () => void }) {
  const { t } = useTranslation(["instance", "translation"]);
  const waits = of.state === "waiting";
  useTitle(t(waits ? "signUps.waits" : "signUps.refused"));
  const look = async () => {
    // The profile is there once somebody approved it.
    await queries.refetchQueries({ queryKey: meKey });
    await queries.refetchQueries({ queryKey: signUpKey });
  };
  const takeBack = async () => {
    try {
      await hibana.DELETE("/v1/users/me/sign-up");
      forgetSignUp();
    } catch (failure) {
      tell(failure);
    }
  };
  return (
    <main className="welcome" id="content">
      <div className="sky">
        <Fireworks seed="waiting" count={3} tall />
        <div>
          <h1>{t(waits ? "signUps.waits" : "signUps.refused")}</h1>
          <p>{t(waits ? "signUps.waitsHint" : "signUps.refusedHint", { name: of.username })}</p>
          {of.answer && (
            <blockquote className="instancepart" dir="auto">
              {of.answer}
            </blockquote>
          )}
        </div>
      </div>
      <div className="door">
        <form onSubmit={(event) => (event.preventDefault(), void look())}>
          {waits && <button className="button main wide">{t("signUps.again")}</button>}
          {waits && (
            <button type="button" className="button wide" onClick={onChange}>
              {t("signUps.change")}
            </button>
          )}
          {waits && (
            <button type="button" className="linklike" onClick={() => void takeBack()}>
              {t("signUps.takeBack")}
            </button>
          )}
          <button type="button" className="linklike" onClick={() => void signOut().catch(tell)}>
            {t("translation:settings.signOut")}
          </button>
        </form>
      </div>
    </main>
  );
}
