import { useEffect, useState } from "react";

const pause = 100; // milliseconds

/** Returns what a value was at the writer's last pause: what takes long to draw waits for it. */
export function useLater<T>(value: T): T {
  const [later, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(() => value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}
