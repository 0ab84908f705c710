import { defineConfig, devices } from "@playwright/test";

// The tests run against an API with its emulators, which HIBANA_URL names; see
// tests/browser.
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Each test opens browsers of its own, and would pay twice for each page: for a process that is
  // kept ready. This list takes the place of Playwright's, of which it repeats what a page of this
  // machine meets.
  "--disable-features=SpareRendererForSitePerProcess,AvoidUnnecessaryBeforeUnloadCheckSync,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,PaintHolding,MediaRouter,OptimizationHints,NetworkTimeServiceQuerying",
];

const chromium = {
  launchOptions: { executablePath: process.env.HIBANA_BROWSER, args: flags },
  ...devices["Desktop Chrome"],
};

// Firefox as distributions ship it speaks WebDriver BiDi alone, which this channel stands for.
const firefox = {
  ...devices["Desktop Firefox"],
  channel: "moz-firefox",
  launchOptions: { executablePath: process.env.HIBANA_BROWSER },
};

export default defineConfig({
  testDir: "test",
  // Where the API is apart, or an instance has terms, it refuses what the other tests do; see
  // tests/browser.
  ...(process.env.HIBANA_APART
    ? { testMatch: "apart.spec.ts" }
    : process.env.HIBANA_INSTANCE
      ? { testMatch: "instance.spec.ts", workers: 1 }
      : { testIgnore: ["apart.spec.ts", "instance.spec.ts"] }),
  outputDir: "test-results",
  fullyParallel: true,
  ...(process.env.HIBANA_INSTANCE ? {} : { workers: 2 }),
  globalTimeout: 35 * 60_000, // before that of go test, which would not say what failed
  retries: 1, // the list names one that needed it: flaky
  timeout: 300_000, // beside other tests on two slow cores; alone the slowest takes 25 s
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    baseURL: process.env.HIBANA_URL,
    ...(process.env.HIBANA_ENGINE === "firefox" ? firefox : chromium),
    serviceWorkers: "block",
    actionTimeout: 60_000,
  },
});
