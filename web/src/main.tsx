import "@fontsource-variable/bricolage-grotesque/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/parts.css";
import "./styles/pages.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { speech } from "./lib/speech";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./lib/api";
import { App } from "./app";
import { begin } from "./i18n";
import { Guard } from "./ui/states";
import { SessionProvider } from "./lib/session";

await begin();
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
  void navigator.serviceWorker.register("/worker.js");
