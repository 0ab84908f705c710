import { intlFormatDistance } from "date-fns/intlFormatDistance";
import { useEffect, useState } from "react";
import { useTranslation } from "./speech";

let now = Date.now();
const listeners = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

// One clock for the page: relative times go on together.
function useNow(): number {
  const [, tick] = useState(0);
  useEffect(() => {
    const hear = () => tick((n) => n + 1);
    listeners.add(hear);
    clock ??= setInterval(() => {
      now = Date.now();
      listeners.forEach((listener) => listener());
    }, 30_000);
    return () => {
      listeners.delete(hear);
      if (listeners.size === 0) {
        clearInterval(clock);
        clock = undefined;
      }
    };
  }, []);
  return now;
}

/** A time as people say it, with the whole of it when pointed at. */
export function When({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const time = new Date(at);
  const age = Math.max(useNow(), time.getTime()) - time.getTime();
  const text =
    age < 7 * 24 * 3600_000
      ? intlFormatDistance(time, Math.max(now, time.getTime()), {
          locale: i18n.language,
          style: "narrow",
          numeric: "auto",
        })
      : time.toLocaleDateString(i18n.language, { dateStyle: "medium" });
  return (
    <time
      dateTime={at}
      title={time.toLocaleString(i18n.language, { dateStyle: "long", timeStyle: "short" })}
    >
      {text}
    </time>
  );
}

/** A count in few characters: 1.2K. */
export function Count({ of }: { of: number }) {
  const { i18n } = useTranslation();
  return (
    <>
      {new Intl.NumberFormat(i18n.language, {
        notation: "compact",
        maximumFractionDigits: 1,
      }).format(of)}
    </>
  );
}

/** Returns a month as people say it. */
export function monthName(at: string, language: string): string {
  return new Date(at).toLocaleDateString(language, { month: "long", year: "numeric" });
}
