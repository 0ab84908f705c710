import { expect } from "@playwright/test";
import { call, open, person, post, test } from "./people";

test("a stranger's reply waits until the author of the thread approves it", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const page = await open(browser, ann);
  await page.goto("/settings");
  const setting = page.getByRole("switch", {
    name: "Replies from people I do not follow need my approval",
  });
  await setting.click();
  await expect(setting).toBeChecked();
  await expect
    .poll(async () => (await call(ann, "GET", "/v1/users/me")).holdReplies)
    .toBe("strangers");
  const root = await post(ann, "A calm thread");

  // Ben hears before he writes, and after, that his reply may wait.
  const other = await open(browser, ben);
  await other.goto(`/tweets/${root.id}`);
  const reply = async (text: string) => {
    await other
      .locator(`[data-tweet="${root.id}"]`)
      .getByRole("button", { name: /^Reply/ })
      .click();
    const dialog = other.getByRole("dialog");
    await expect(dialog.getByText("may have to approve your reply first")).toBeVisible();
    await dialog.getByRole("textbox").fill(text);
    await dialog.getByRole("button", { name: "Post", exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(
      other.getByText("Your reply is waiting for the approval of the thread's author.").first(),
    ).toBeVisible();
  };
  await reply("A **kind** word");
  await reply("A rude word");
  expect((await call(ben, "GET", `/v1/tweets/${root.id}/replies`)).items).toEqual([]);
  await other.goto("/held");
  const yours = other.getByRole("region", { name: "Your replies awaiting approval by others" });
  await expect(yours.getByRole("article")).toHaveCount(2);

  await page.goto("/notifications");
  await page.getByRole("link", { name: "2 replies are waiting for your approval" }).click();
  const waits = page.getByRole("region", { name: "For your approval" });
  const one = (text: string) => waits.getByRole("article").filter({ hasText: text });
  await expect(one("A kind word").locator("strong", { hasText: "kind" })).toBeVisible();
  await one("A kind word").getByRole("button", { name: "Approve: Ben" }).click();
  await expect(one("A kind word")).toBeHidden();
  await one("A rude word").getByRole("button", { name: "Refuse: Ben" }).click();
  await expect(waits.getByText("No reply is waiting for you.")).toBeVisible();

  await other.goto(`/tweets/${root.id}`);
  await expect(other.getByText("A kind word")).toBeVisible();
  await expect(other.getByText("A rude word")).toBeHidden();
  await other.goto("/held");
  await expect(other.getByText("No reply is waiting for you.")).toBeVisible();
  await expect(yours).toBeHidden();
});
