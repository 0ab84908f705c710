import { expect } from "@playwright/test";
import { call, open, person, post, test, until } from "./people";

test("keys choose, open and act in threads, searches, bookmarks and notifications", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const word = `lantern${ann.name}`;
  const root = await post(ann, `Root of ${word}`);
  const replies = [];
  for (let n = 0; n < 3; n++)
    replies.push(await post(ben, `Reply ${n} about ${word}`, { replyTo: root.id }));
  await call(ann, "PUT", `/v1/tweets/${replies[0]!.id}/bookmark`);
  await until(
    async () =>
      (await call(ann, "GET", "/v1/notifications")).items.length > 0 &&
      (await call(ann, "GET", `/v1/search/tweets?q=${word}`)).items.length === 4,
  );
  const page = await open(browser, ann, `/tweets/${root.id}`);
  const chosen = page.locator("article.chosen");
  const press = (keys: string) => page.keyboard.press(keys);
  const choose = async (keys: string, text: string) => {
    for (const key of keys) await press(key);
    await expect(chosen).toContainText(text);
    await expect(chosen).toBeFocused();
    await expect(chosen).toBeInViewport();
  };

  // A thread: the tweet itself, and then its replies.
  await expect(page.getByText(`Reply 2 about`)).toBeVisible();
  await choose("jjj", "Reply 1");
  await choose("k", "Reply 0");
  await press("l");
  await expect(chosen.getByRole("button", { name: /Unlike/ })).toBeVisible();
  await press("b"); // bookmarked before
  await expect(chosen.getByRole("button", { name: /Remove the bookmark/ })).toHaveCount(0);
  await press("b");
  await expect(chosen.getByRole("button", { name: /Remove the bookmark/ })).toBeVisible();
  await press("r");
  await expect(page.getByRole("dialog").getByRole("textbox")).toBeFocused();
  await press("Escape");
  await choose("j", "Reply 1");
  await press("s");
  await expect(chosen.getByRole("button", { name: /Undo the share/ })).toBeVisible();
  await press("Enter");
  await expect(page).toHaveURL(new RegExp(replies[1]!.id));

  await page.goto(`/explore?q=${word}`);
  await expect(page.getByRole("article")).toHaveCount(4);
  await choose("jj", "Reply 1");
  await page.goto("/bookmarks");
  await expect(page.getByText("Reply 0 about")).toBeVisible();
  await choose("j", "Reply 0");

  // Of notifications: the keys of a tweet leave them alone.
  await page.goto("/notifications");
  await expect(page.locator("article.told").first()).toBeVisible();
  await choose("j", "Ben");
  await press("f");
  await press("o");
  await expect(page).toHaveURL(new RegExp(`${root.id}|${replies.map(({ id }) => id).join("|")}`));

  await press("?");
  const help = page.getByRole("dialog");
  await expect(help.getByRole("heading", { name: /In every list of tweets/ })).toBeInViewport();
  await expect(help.getByText("Open what is chosen").first()).toBeInViewport();
});
