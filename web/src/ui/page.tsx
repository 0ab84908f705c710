import { lazy, Suspense, useEffect, type ComponentType } from "react";
import { useTranslation } from "../lib/speech";
import { useTitle } from "../lib/title";
import { Coming, Empty } from "./states";

// Stands for a page whose scripts are not in this browser, until there is a network again.
function Unread() {
  const { t } = useTranslation();
  useTitle(t("state.unread"));
  useEffect(() => {
    const again = () => location.reload();
    if (navigator.onLine) again(); // the network came back before this was drawn
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, []);
  return <Empty page title={t("state.unread")} />;
}

// Browsers say that there is a network before it leads anywhere: how long a page waits before it asks
// for its scripts again, each time, in milliseconds. Scripts that a new version took away never come.
const pauses = [500, 2000];

async function patiently<T>(load: () => Promise<T>, unread: T): Promise<T> {
  for (let n = 0; ; n++) {
    try {
      return await load();
    } catch (failure) {
      if (!navigator.onLine) return unread;
      if (n === pauses.length) throw failure;
    }
    await new Promise((done) => setTimeout(done, pauses[n]));
  }
}

/**
 * Makes a page whose scripts are loaded when it is opened. Without a network it says that it waits.
 * Each page waits for itself: whoever goes on before it is there waits for the next one alone.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any properties, as lazy has it
export function page<Props extends Record<string, any>>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Waiting: ComponentType = Coming,
): ComponentType<Props> {
  const Page = lazy(() =>
    patiently(load, { default: Unread as ComponentType<Props> }),
  ) as ComponentType<Props>;
  return (props) => (
    <Suspense fallback={<Waiting />}>
      <Page {...props} />
    </Suspense>
  );
}
