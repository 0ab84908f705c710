import { Minus, Plus } from "lucide-react";
import { useTranslation } from "../../lib/speech";

/**
 * A number of pieces, one more or one less at a time: onChange gets a function of the present
 * number.
 */
export function Quantity({
  of,
  name,
  most,
  onChange,
}: {
  of: number;
  name: string;
  most: number;
  onChange: (to: (quantity: number) => number) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="quantity" role="group" aria-label={t("shop.quantityOf", { name })}>
      <button
        className="icon"
        aria-label={t("shop.less")}
        disabled={of <= 1}
        onClick={() => onChange((quantity) => Math.max(quantity - 1, 1))}
      >
        <Minus size={18} aria-hidden="true" />
      </button>
      <output aria-live="polite">{of}</output>
      <button
        className="icon"
        aria-label={t("shop.more")}
        disabled={of >= most}
        onClick={() => onChange((quantity) => Math.min(quantity + 1, most))}
      >
        <Plus size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
