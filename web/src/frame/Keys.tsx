import { useTranslation } from "../lib/speech";
import { Dialog } from "../ui/Dialog";

const keys = [
  ["j", "next"],
  ["k", "previous"],
  ["o", "open"],
  [".", "load"],
  ["c", "compose"],
  ["r", "reply"],
  ["f", "like"],
  ["s", "share"],
  ["b", "bookmark"],
  ["g h", "home"],
  ["g n", "notifications"],
  ["g m", "messages"],
  ["g e", "explore"],
  ["g s", "shop"],
  ["g p", "profile"],
  ["/", "search"],
  ["?", "help"],
] as const;

/** What the keys do. */
export default function Keys({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      <div className="keylist">
        {keys.map(([key, what]) => (
          <div key={key} style={{ display: "contents" }}>
            <span>
              {key.split(" ").map((k) => (
                <kbd key={k}>{k}</kbd>
              ))}
            </span>
            <span>{t(`keys.${what}`)}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
