import { Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "../lib/speech";

const least = 8; // pixels: less is no scroll of a hand

/** Returns whether the reader reads on: the page was scrolled down last. */
function useReadsOn(): boolean {
  const [down, setDown] = useState(false);
  useEffect(() => {
    let last = scrollY;
    const look = () => {
      if (Math.abs(scrollY - last) < least) return;
      setDown(scrollY > last);
      last = scrollY;
    };
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  return down;
}

/**
 * The round button of phones that begins a tweet. It goes while the reader reads on, so that it lies
 * over nothing that is being read, and comes back with the way up.
 */
export function Write({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      className={useReadsOn() ? "floating away" : "floating"}
      aria-label={t("nav.compose")}
      onClick={onClick}
    >
      <Plus aria-hidden="true" />
    </button>
  );
}
