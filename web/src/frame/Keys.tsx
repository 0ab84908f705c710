import { useTranslation } from "../lib/speech";
import { Dialog } from "../ui/Dialog";

const keys = {
  lists: [
    ["j", "next"],
    ["k", "previous"],
    ["o", "open"],
    ["Enter", "open"],
  ],
  tweets: [
    ["r", "reply"],
    ["f", "like"],
    ["l", "like"],
    ["s", "share"],
    ["b", "bookmark"],
  ],
  pages: [
    ["c", "compose"],
    [".", "load"],
    ["/", "search"],
    ["g h", "home"],
    ["g n", "notifications"],
    ["g m", "messages"],
    ["g e", "explore"],
    ["g s", "shop"],
    ["g p", "profile"],
    ["?", "help"],
  ],
} as const;
const places = ["lists", "tweets", "pages"] as const;

/** What the keys do, and where. */
export default function Keys({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      {places.map((place) => (
        <section key={place} aria-labelledby={`keys-${place}`}>
          <h3 id={`keys-${place}`}>{t(`keys.${place}`)}</h3>
          <div className="keylist">
            {keys[place].map(([key, what]) => (
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
        </section>
      ))}
    </Dialog>
  );
}
