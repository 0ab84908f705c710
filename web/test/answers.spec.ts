import { expect } from "@playwright/test";
import { call, open, person, post, test, write } from "./people";

test("a tweet says who may reply and quote, and an edit keeps it", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Post", exact: true }).first()).toBeVisible();
  await write(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("For friends to answer");
  await dialog.getByRole("button", { name: "Options" }).click();
  await dialog.getByLabel("Who may reply").selectOption("People I follow");
  await dialog.getByLabel("Who may quote").selectOption("Nobody");
  const answered = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith("/v1/tweets"),
  );
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  const { id } = (await (await answered).json()) as { id: string };
  const policies = async () => {
    const { replyPolicy, quotePolicy, content } = await call(ann, "GET", `/v1/tweets/${id}`);
    return { replyPolicy, quotePolicy, content };
  };
  const chosen = { replyPolicy: "following", quotePolicy: "nobody" };
  expect(await policies()).toEqual({ ...chosen, content: "For friends to answer" });

  await page.goto(`/tweets/${id}`);
  await page.getByRole("button", { name: "More", exact: true }).first().click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialog.getByRole("textbox").fill("For old friends");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(policies).toEqual({ ...chosen, content: "For old friends" });
});

test("who began a thread hides a reply in it", { tag: "@short" }, async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const root = await post(ann, "A calm thread");
  const rude = await post(ben, "A rude reply", { replyTo: root.id });
  await post(ben, "A word more", { replyTo: rude.id });
  const page = await open(browser, ann);
  await page.goto(`/tweets/${root.id}`);
  const reply = page.locator(`[data-tweet="${rude.id}"]`);
  await reply.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Hide the reply" }).click();
  await expect(page.getByText("The author of the thread hid this reply.")).toBeVisible();
  await expect(reply).toBeHidden();
  await expect(page.getByText("A word more")).toBeHidden();

  const other = await open(browser, ben); // the author of the reply sees the same
  await other.goto(`/tweets/${root.id}`);
  await expect(other.getByText("The author of the thread hid this reply.")).toBeVisible();
  await other.getByRole("button", { name: "Show", exact: true }).click();
  await expect(other.getByText("A rude reply")).toBeVisible();
  await other
    .locator(`[data-tweet="${rude.id}"]`)
    .getByRole("button", { name: "More", exact: true })
    .click();
  await expect(other.getByRole("menuitem", { name: "Edit" })).toBeVisible();
  await expect(other.getByRole("menuitem", { name: "Show the reply to everybody" })).toBeHidden();

  await page.getByRole("button", { name: "Show", exact: true }).click();
  await reply.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Show the reply to everybody" }).click();
  await expect(page.getByText("The author of the thread hid this reply.")).toBeHidden();
  await expect(reply).toBeVisible();
});

test("who wrote a quoted tweet takes it back", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const quoted = await post(ann, "Not for a pillory");
  const quote = await post(ben, "Look at this", { quoteOf: quoted.id });
  const page = await open(browser, ann);
  await page.goto(`/tweets/${quote.id}`);
  await expect(page.getByText("Not for a pillory")).toBeVisible();
  await page.getByRole("button", { name: "More", exact: true }).first().click();
  await page.getByRole("menuitem", { name: "Withdraw my tweet from the quote" }).click();
  await expect(page.getByText("Its author withdrew the quoted tweet.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Look at this")).toBeVisible();
  await expect(page.getByText("Its author withdrew the quoted tweet.")).toBeVisible();
  await expect(page.getByText("Not for a pillory")).toBeHidden();
});
