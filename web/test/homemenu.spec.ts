import { expect } from "@playwright/test";
import { atHome, call, follows, open, person, post, test } from "./people";

test("home without shares, and without replies to others, also after a reload, on a phone", async ({
  browser,
}) => {
  const [ann, ben, dan] = [await person("Ann"), await person("Ben"), await person("Dan")];
  await follows(ann, ben);
  const far = await post(dan, "A tweet of a stranger");
  await call(ben, "PUT", `/v1/tweets/${far.id}/share`);
  const reply = await post(ben, "A reply to the stranger", { replyTo: far.id });
  const plain = await post(ben, "A plain tweet");
  await atHome(ann, far, reply, plain);
  const page = await open(browser, ann, "/", { viewport: { width: 360, height: 740 } });
  const feed = page.getByRole("feed");
  const articles = feed.getByRole("article");
  await expect(articles).toHaveCount(3);
  await page.getByRole("button", { name: "What home shows" }).click();
  const shares = page.getByRole("menuitemcheckbox", { name: "Shares" });
  await expect(shares).toBeChecked();
  await expect(shares).toBeInViewport({ ratio: 1 });
  await shares.click();
  await expect(feed.getByText("Ben shared")).toHaveCount(0);
  await expect(articles).toHaveCount(2);
  await page.getByRole("menuitemcheckbox", { name: "Replies to others" }).click();
  await expect(articles).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(feed.getByText("A plain tweet")).toBeInViewport({ ratio: 1 });
  await page.reload();
  await expect(feed.getByText("A plain tweet")).toBeInViewport();
  await expect(articles).toHaveCount(1);
  await page.getByRole("button", { name: "What home shows" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Shares" }).click();
  await expect(articles).toHaveCount(2);
});
