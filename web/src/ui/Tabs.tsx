import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";

/**
 * Tabs in a line that may be longer than the window: the chosen one is in sight, and a line that
 * goes on fades at that side.
 */
export function Tabs({
  label,
  chosen,
  children,
}: {
  label: string;
  chosen: string;
  children: ReactNode;
}) {
  const line = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = line;
    const tab = current?.querySelector<HTMLElement>("[aria-current=page]");
    if (!current || !tab) return;
    const [whole, one] = [current.getBoundingClientRect(), tab.getBoundingClientRect()];
    current.scrollLeft += (one.left + one.right - whole.left - whole.right) / 2;
  }, [chosen]);
  useEffect(() => {
    const { current } = line;
    if (!current) return;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = current;
      const at = Math.abs(scrollLeft); // below 0 where the line goes from right to left
      current.classList.toggle("before", at > 1);
      current.classList.toggle("after", at < scrollWidth - clientWidth - 1);
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    current.addEventListener("scroll", look, { passive: true });
    return () => (sizes.disconnect(), current.removeEventListener("scroll", look));
  }, []);
  return (
    <nav className="tabs line" aria-label={label} ref={line}>
      {children}
    </nav>
  );
}
