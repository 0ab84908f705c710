import { useEffect, useState } from "react";

/**
 * Returns what a value was at the writer's last pause, of so many milliseconds: what takes long to
 * draw or to ask for waits for it.
 */
export function useLater<T>(value: T, pause = 100): T {
  const [later, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(() => value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return later;
}
