import { createContext, useContext, type ReactNode } from "react";
import { useTitle } from "../lib/title";

/** What stands at the end of the top of every page, such as the way to the cart. */
export const TopEnd = createContext<(cart: boolean) => ReactNode>(() => null);

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
      <h1 dir="auto">
        {title}
        {small && <small dir="ltr">{small}</small>}
      </h1>
      {children}
      {end(cart)}
    </div>
  );
}
