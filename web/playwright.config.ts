import { defineConfig, devices } from "@playwright/test";

// The tests run against an API with its emulators, which HIBANA_URL names; see internal/tests/browser.
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export default defineConfig({
  testDir: "test",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    baseURL: process.env.HIBANA_URL,
    launchOptions: { executablePath: process.env.HIBANA_BROWSER, args: flags },
    ...devices["Desktop Chrome"],
    serviceWorkers: "block",
    actionTimeout: 20_000,
  },
});
