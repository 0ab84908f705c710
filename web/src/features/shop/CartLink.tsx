import "../../i18n/later";
import { ShoppingBag } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import { Link, useLocation } from "wouter";
import { pieces, useCart } from "./cart";

/** The way to the cart, if something is in it or always. */
export default function CartLink({ always }: { always: boolean }) {
  const { t } = useTranslation();
  const [path] = useLocation();
  const count = pieces(useCart().data);
  if (path === "/cart" || (count === 0 && !always)) return null;
  return (
    <Link
      href="/cart"
      className="icon bag"
      aria-label={t("cart.open", { count })}
      title={t("cart.title")}
    >
      <ShoppingBag size={20} aria-hidden="true" />
      {count > 0 && (
        <span className="badge" aria-hidden="true">
          {count > 99 ? "99+" : count}
        </span>
      )}
    </Link>
  );
}
