import type { Browser } from "@playwright/test";

const absent = "emulation.setMediaFeaturesOverride"; // of WebDriver BiDi
type Send = (this: unknown, method: string, parameters: unknown) => Promise<unknown>;

/**
 * Lets Playwright drive a Firefox as distributions ship it, by WebDriver BiDi. Two things differ from
 * Chromium:
 *
 * - Firefox 153 ESR cannot set the color scheme, and Playwright opens no window then. All windows
 *   are light.
 * - Playwright fills in a field by its property, which React has heard of before the event comes,
 *   and so ignores. Here the text comes as if somebody typed it.
 */
export function drive(browser: Browser): void {
  const { _connection: client } = browser as unknown as {
    _connection: { toImpl: (of: Browser) => { _browserSession: object } };
  };
  const sessions = Object.getPrototypeOf(client.toImpl(browser)._browserSession) as { send: Send };
  const { send } = sessions;
  sessions.send = function (method, parameters) {
    return method === absent ? Promise.resolve({}) : send.call(this, method, parameters);
  };

  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    await context.addInitScript(() =>
      Object.defineProperty(window, "__pw_bidiInsertText", {
        get: () => (text: string) => void document.execCommand("insertText", false, text),
        set: () => undefined, // by Playwright
      }),
    );
    return context;
  };
}

/** Whether an error is of the network, which Firefox tells as it tells those of scripts. */
export const ofNetwork = (message: string) =>
  /^The Same Origin Policy disallows|^Failed to load ‘/.test(message);
