import "../../i18n/quiet";
import "../../styles/quiet.css";
import { useTranslation } from "../../lib/speech";
import { block } from "../people/people";
import { type Somebody } from "../people/ties";
import { Dialog } from "../../ui/Dialog";

/** Says what a block does, before there is one. */
export function Block({
  user,
  then,
  onClose,
}: {
  user: Somebody;
  then?: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("quiet");
  const name = user.nickname;
  return (
    <Dialog title={t("block.title", { name })} onClose={onClose}>
      <ul className="says">
        {(["both", "ends", "stays", "told"] as const).map((one) => (
          <li key={one}>{t(`block.${one}`, { name })}</li>
        ))}
      </ul>
      <div className="choices">
        <button
          className="button main"
          onClick={() => {
            onClose();
            void block(user, true).then((done) => done && then?.());
          }}
        >
          {t("block.send")}
        </button>
        <button className="button" onClick={onClose}>
          {t("block.cancel")}
        </button>
      </div>
    </Dialog>
  );
}
