import { ArrowLeft } from "lucide-react";
import { createContext, useContext, type ReactNode } from "react";
import { useTranslation } from "../lib/speech";
import { useLocation } from "wouter";
import { goBack } from "../lib/back";
import { useTitle } from "../lib/title";

/** What stands at the end of the top of every page, such as the way to the cart. */
export const TopEnd = createContext<(cart: boolean) => ReactNode>(() => null);

// The places of the bar below, from which nobody goes back.
const places = /^\/(explore|notifications|messages|bookmarks|shop)?$/;

// Whether this window is the installed app.
const installed =
  matchMedia("(display-mode: standalone)").matches ||
  Boolean((navigator as { standalone?: boolean }).standalone); // Safari of iOS

/** The way back in the installed app, whose window has no button for it. */
function Back() {
  const { t } = useTranslation();
  const [path] = useLocation();
  if (!installed || places.test(path)) return null;
  return (
    <button className="icon back" aria-label={t("state.back")} onClick={goBack}>
      <ArrowLeft className="backwards" size={20} aria-hidden="true" />
    </button>
  );
}

/**
 * The bar at the top of a page, with its name, and with the cart if something is in it. The window
 * is called after the page, or as called says.
 */
export function Top({
  title,
  called = title,
  small,
  children,
  cart = false,
}: {
  title: string;
  called?: string | undefined;
  small?: ReactNode;
  children?: ReactNode;
  cart?: boolean;
}) {
  const end = useContext(TopEnd);
  useTitle(called);
  return (
    <div className="top">
      <Back />
      <h1 dir="auto">
        {title}
        {small && <small dir="ltr">{small}</small>}
      </h1>
      {children}
      {end(cart)}
    </div>
  );
}
