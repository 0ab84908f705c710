import { lazy, useEffect, type ComponentType } from "react";
import { useTranslation } from "../lib/speech";
import { useTitle } from "../lib/title";
import { Empty } from "./states";

// Stands for a page whose scripts are not in this browser, until there is a network again.
function Unread() {
  const { t } = useTranslation();
  useTitle(t("state.unread"));
  useEffect(() => {
    const again = () => location.reload();
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, []);
  return <Empty page title={t("state.unread")} />;
}

/** Makes a page whose scripts are loaded when it is opened. Without a network it says that it waits. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any properties, as React.lazy has it
export const page = <Page extends ComponentType<any>>(load: () => Promise<{ default: Page }>) =>
  lazy(() =>
    load().catch((failure: unknown) => {
      if (navigator.onLine) throw failure;
      return { default: Unread as unknown as Page };
    }),
  );
