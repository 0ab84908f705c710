import "@fontsource-variable/bricolage-grotesque/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/parts.css";
import "./styles/pages.css";
import "./lib/effects";
import { QueryClientProvider } from "@tanstack/react-query";
import { speech } from "./lib/speech";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./lib/api";
import { App } from "./app";
import { arrive } from "./lib/accounts";
import { begin } from "./i18n";
import { drawn } from "./lib/drawn";
import { Guard } from "./ui/states";
import { SessionProvider } from "./lib/session";

await Promise.all([begin(), arrive().catch(() => undefined)]);
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Guard title={speech.t("state.crash")} reload={speech.t("state.reload")}>
        <SessionProvider>
          <App />
        </SessionProvider>
      </Guard>
    </QueryClientProvider>
  </StrictMode>,
);
if (import.meta.env.PROD && "serviceWorker" in navigator)
  void drawn.then(async () => {
    const worker = navigator.serviceWorker;
    // Before that, its downloads would take the network from the page.
    await worker.register("/worker.js");
    const { active } = await worker.ready;
    const loaded = performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(
        ({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"),
      )
      .map(({ pathname }) => pathname);
    active?.postMessage({ loaded });
  });
