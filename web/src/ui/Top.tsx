import { createContext, useContext, type ReactNode } from "react";

/** What stands at the end of the top of every page, such as the way to the cart. */
export const TopEnd = createContext<(cart: boolean) => ReactNode>(() => null);

/** The bar at the top of a page, with its name, and with the cart if something is in it. */
export function Top({
  title,
  small,
  children,
  cart = false,
}: {
  title: string;
  small?: ReactNode;
  children?: ReactNode;
  cart?: boolean;
}) {
  const end = useContext(TopEnd);
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
