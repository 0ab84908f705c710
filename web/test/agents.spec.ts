import { expect, type Page } from "@playwright/test";
import { check } from "./look";
import { administrator, call, open, person, test, type Person } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

/** Runs the agents that are due, as the clock does. */
const turn = () => call(undefined, "POST", "/test/agents");

/** A bot whose agent took a turn: it posted something. */
async function lantern(keeper: Person, nickname: string): Promise<Person> {
  await call(keeper, "PUT", "/v1/admin/ai-models/templates", {
    provider: "Hibana",
    input: 150_000,
    enabled: true,
  });
  const bot = await person(nickname);
  await call(bot, "PATCH", "/v1/users/me", { bot: true });
  await call(keeper, "PUT", `/v1/admin/agents/${bot.id}`, {
    model: "templates",
    everyMinutes: 15,
    budget: { posts: 8, likes: 20, microDollars: 1_500_000 },
    running: true,
  });
  await turn();
  return bot;
}

test(
  "an owner sees on a phone what the agent did, stops it, and starts it again",
  { tag: "@short" },
  async ({ browser }) => {
    const bot = await lantern(await administrator(), "Lantern");
    const page = await open(browser, bot, "/settings", phone);
    await page.getByRole("link", { name: "Agent" }).click();
    await expect(page.getByRole("heading", { name: "The agent is running" })).toBeInViewport({
      ratio: 1,
    });
    await expect(page.getByText("every 15 minutes")).toBeInViewport({ ratio: 1 });
    await expect(page.getByText("Posts and replies: 1 of 8")).toBeInViewport({ ratio: 1 });
    await expect(page.getByText("Dollars: 0 of 1.5")).toBeInViewport({ ratio: 1 });
    const act = page.locator(".agentacts li");
    await expect(act).toHaveCount(1);
    await act.scrollIntoViewIfNeeded();
    await expect(act.getByText("Post", { exact: true })).toBeInViewport({ ratio: 1 });
    await expect(act.getByText(/^done/)).toBeInViewport({ ratio: 1 });
    await fits(page);

    const stop = page.getByRole("button", { name: "Stop", exact: true });
    await stop.scrollIntoViewIfNeeded();
    await expect(stop).toBeInViewport({ ratio: 1 });
    await stop.click();
    await expect(page.getByRole("heading", { name: "The agent is stopped" })).toBeInViewport();
    await expect(page.getByText("The agent is stopped: no act begins")).toBeInViewport();
    expect(await call(bot, "GET", "/v1/users/me/agent")).toMatchObject({
      running: false,
      stoppedBy: bot.id,
    });
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await expect(page.getByRole("heading", { name: "The agent is running" })).toBeInViewport();
    await act.getByRole("link", { name: "Open the tweet" }).click();
    await expect(page).toHaveURL(/\/[0-9a-f]{18}$/);
    await expect(page.getByRole("article").first()).toBeInViewport();
  },
);

test("an administrator stops an agent, which its owner cannot start; somebody without an agent reads why", async ({
  browser,
}) => {
  const keeper = await administrator();
  const bot = await lantern(keeper, "Ember");
  const page = await open(browser, keeper, "/admin/agents", phone);
  await expect(page.locator(".tabs [aria-current=page]")).toBeInViewport({ ratio: 1 });
  const one = page.locator("section").filter({ hasText: "Ember" }).first();
  await one.getByRole("button", { name: "What it did: Ember" }).click();
  const act = one.locator(".agentacts li");
  await expect(act).toHaveCount(1);
  await act.scrollIntoViewIfNeeded();
  await expect(act.getByText(/^done/)).toBeInViewport({ ratio: 1 });
  await one.getByRole("button", { name: "Stop the agent of Ember" }).click();
  await expect(one.getByText("The agent is stopped")).toBeVisible();
  await expect(one.getByRole("button", { name: "Start the agent of Ember" })).toBeVisible();
  const model = page.locator(".agentacts li").filter({ hasText: "templates" });
  await model.scrollIntoViewIfNeeded();
  await expect(model.getByText("150000 and 0 micro-dollars")).toBeInViewport({ ratio: 1 });
  await expect(model.getByText("Agents may use it")).toBeInViewport({ ratio: 1 });
  await fits(page);

  const owner = await open(browser, bot, "/settings/agent", phone);
  await owner.getByRole("button", { name: "Start", exact: true }).click();
  await expect(owner.getByText("An administrator stopped the agent.")).toBeInViewport();
  await expect(owner.getByRole("heading", { name: "The agent is stopped" })).toBeVisible();

  const other = await open(browser, await person("Ann"), "/settings/agent", phone);
  await expect(other.getByText("No agent acts for this account")).toBeInViewport({ ratio: 1 });
});

test("agents in every look and in Japanese: accessible, as wide as the window", async ({
  browser,
}) => {
  const keeper = await administrator();
  const bot = await lantern(keeper, "Chochin");
  const page = await open(browser, bot, "/settings/agent");
  await expect(page.locator(".agentacts li")).toHaveCount(1);
  await check(page, "agent");
  const admin = await open(browser, keeper, "/admin/agents");
  await expect(admin.getByText("Agents may use it")).toBeVisible();
  await check(admin, "admin-agents");

  const japanese = await open(browser, bot, "/settings/agent", { ...phone, locale: "ja-JP" });
  await expect(
    japanese.getByRole("heading", { name: "エージェントは動いています" }),
  ).toBeInViewport({
    ratio: 1,
  });
  await expect(japanese.getByRole("button", { name: "止める" })).toBeVisible();
  await expect(japanese.getByText("投稿と返信: 1 / 8")).toBeInViewport({ ratio: 1 });
  await fits(japanese);
  await japanese.evaluate(() => (document.documentElement.dir = "rtl"));
  await fits(japanese);
  await japanese.screenshot({ path: "screenshots/agent-ja.png", animations: "disabled" });
});
