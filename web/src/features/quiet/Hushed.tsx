import "../../i18n/quiet";
import "../../styles/quiet.css";
import { Ban } from "lucide-react";
import { lazy, Suspense } from "react";
import { useTranslation } from "../../lib/speech";
import { useTies, type Somebody } from "../people/ties";

const Muted = lazy(() => import("./MutedNote"));

/** Says on a profile that the reader mutes or blocks the person. */
export function Hushed({ user }: { user: Somebody }) {
  const { t } = useTranslation("quiet");
  const ties = useTies(user.id).data;
  if (ties?.blocking)
    return (
      <p className="hushed">
        <Ban size={18} aria-hidden="true" />
        <span>{t("block.is", { name: user.nickname })}</span>
      </p>
    );
  return ties?.muting ? (
    <Suspense>
      <Muted user={user} muting={ties.muting} />
    </Suspense>
  ) : null;
}
