import { expect } from "@playwright/test";
import { atHome, call, follows, open, person, post, test } from "./people";

test("excerpts are plain text: of a quote, of what is answered, and of people", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await follows(ben, ann);
  await call(ben, "PATCH", "/v1/users/me", {
    introduction: "I **like** [fire](https://a.example)",
  });
  const tweet = await post(ben, "A **bold** `spark`\n\n* one\n* two");
  const reply = await post(ben, "Yes", { replyTo: tweet.id });
  const quote = await post(ben, "Look", { quoteOf: tweet.id });
  await atHome(ann, tweet, reply, quote);
  const page = await open(browser, ann);
  const quoted = page.locator("a.quoted");
  await expect(quoted).toBeVisible();
  await expect(quoted.locator(".prose")).toHaveText(/A bold spark\s+one\s+two/);
  const original = page.getByRole("article").filter({ has: page.locator(".prose strong") });
  await original.getByRole("button", { name: /^Quote/ }).click();
  await expect(page.getByRole("dialog").locator("p.quoted")).toHaveText(/A bold spark\s+one\s+two/);
  await page.keyboard.press("Escape");
  await page.goto(`/users/${ann.id}/followers`);
  await expect(page.getByText("I like fire")).toBeVisible();
  await page.goto(`/explore?q=${ben.name}`);
  await expect(page.locator("body")).not.toContainText("**");
});
