import { useTranslation } from "../../lib/speech";
import type { Somebody } from "./ties";
import { removeFollower } from "./small";
import { Dialog } from "../../ui/Dialog";

/** Says what it means to remove a follower, before it is done. */
export function RemoveFollower({ user, onClose }: { user: Somebody; onClose: () => void }) {
  const { t } = useTranslation("small");
  const name = user.nickname;
  return (
    <Dialog title={t("remove.title", { name })} onClose={onClose}>
      <p>{t("remove.does", { name })}</p>
      <p className="muted">{t("remove.again", { name })}</p>
      <div className="choices">
        <button
          className="button main"
          onClick={() => {
            onClose();
            void removeFollower(user);
          }}
        >
          {t("remove.send")}
        </button>
        <button className="button" onClick={onClose}>
          {t("remove.cancel")}
        </button>
      </div>
    </Dialog>
  );
}
