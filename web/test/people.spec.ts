import { expect, test } from "@playwright/test";
import { call, follows, open, password, person, post, until } from "./people";

test("a guest looks around, and keeps the account", async ({ browser }) => {
  const ben = await person("Ben");
  const tweet = await post(ben, "For everybody who looks");
  const page = await (await browser.newContext()).newPage();
  await page.goto("/");
  await page.getByRole("button", { name: "Look around first" }).click();
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.goto(`/tweets/${tweet.id}`);
  await expect(page.getByText("For everybody who looks").first()).toBeVisible();
  await page.getByRole("button", { name: /^Spark, / }).first().click(); // guests are asked in
  await expect(page.getByRole("heading", { name: "Make an account" })).toBeVisible();
  const uid = () => page.evaluate(() => new Promise<string>((resolve) => {
    const opened = indexedDB.open("firebaseLocalStorageDb");
    opened.onsuccess = () => {
      const all = opened.result.transaction("firebaseLocalStorage").objectStore("firebaseLocalStorage").getAll();
      all.onsuccess = () => resolve(all.result[0]?.value.uid ?? "");
    };
  }));
  const before = await uid();
  const name = `guest_${Date.now() % 1_000_000}`;
  await page.getByLabel("E-mail").fill(`${name}@example.com`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByLabel("Username").fill(name);
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  expect(await uid()).toBe(before);
  expect(before).not.toBe("");
});

test("a taken username and a wrong password get a sentence", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await (await browser.newContext()).newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(ann.email);
  await page.getByLabel("Password").fill("not the password");
  await page.locator("form button.main").click();
  await expect(page.getByRole("alert")).toHaveText("The e-mail address or the password is not right.");
  await page.goto("/sign-up");
  await page.getByLabel("E-mail").fill(`other_${ann.name}@example.com`);
  await page.getByLabel("Password").fill(password);
  await page.locator("form button.main").click();
  await page.getByLabel("Username").fill(ann.name);
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("alert")).toHaveText("Somebody has this username. Choose another.");
});

test("by keys alone: choose, spark, open, answer, go home", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  for (let n = 0; n < 12; n++) await post(ben, `Spark number ${n}`);
  await until(async () => (await call(ann, "GET", "/v1/timeline")).items.length === 12);
  const page = await open(browser, ann);
  await expect(page.getByText("Spark number 11")).toBeVisible();
  for (let n = 0; n < 4; n++) await page.keyboard.press("j");
  const chosen = page.locator("article.chosen");
  await expect(chosen).toContainText("Spark number 8");
  await expect(chosen).toBeFocused();
  await expect.poll(async () => (await chosen.boundingBox())!.y).toBeLessThan(120); // at the top of the window
  await page.keyboard.press("k");
  await expect(chosen).toContainText("Spark number 9");
  await page.keyboard.press("f");
  await expect(chosen.getByRole("button", { name: /Take the spark back/ })).toBeVisible();
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog").getByRole("textbox")).toBeFocused();
  await page.keyboard.type("Answered by keys");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("o");
  await expect(page.getByText("Answered by keys")).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("an edit that somebody else was faster with loses nothing", async ({ browser }) => {
  const ann = await person("Ann");
  const tweet = await post(ann, "First words");
  const page = await open(browser, ann);
  await page.goto(`/tweets/${tweet.id}`);
  await page.locator("article.big").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Edit", exact: true }).click();
  const text = page.getByRole("dialog").getByRole("textbox");
  await expect(text).toHaveValue("First words");
  await text.fill("Words of this browser");
  const { response } = { response: await fetch(`${process.env.HIBANA_URL}/v1/tweets/${tweet.id}`, { headers: { Authorization: `Bearer ${ann.token}` } }) };
  await fetch(`${process.env.HIBANA_URL}/v1/tweets/${tweet.id}`, {
    method: "PATCH", headers: { Authorization: `Bearer ${ann.token}`, "Content-Type": "application/json", "If-Match": response.headers.get("ETag")! },
    body: JSON.stringify({ content: "Words of the phone" }),
  });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("It was edited elsewhere");
  await expect(text).toHaveValue("Words of this browser");
  expect((await call(ann, "GET", `/v1/tweets/${tweet.id}`)).content).toBe("Words of the phone");

  // And one that is in time, with its history.
  await page.reload();
  await page.locator("article.big").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Edit", exact: true }).click();
  await expect(text).toHaveValue("Words of the phone");
  await text.fill("The last words");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("article.big")).toContainText("The last words");
  await page.locator("article.big").getByRole("button", { name: "edited" }).click();
  await expect(page.getByRole("dialog")).toContainText("First words");
});

test("people: follow, block, settings", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const page = await open(browser, ann);
  const asked: string[] = [];
  page.on("request", (request) => void (/\/v1\/(relationships|users\/me\/blocks)/.test(request.url()) && asked.push(request.url())));
  await page.goto(`/users/${ben.id}`);
  await page.getByRole("button", { name: "Follow: Ben" }).click();
  await expect(page.getByRole("button", { name: "Following: Ben" })).toBeVisible();
  await until(() => call(ann, "GET", `/v1/relationships/${ann.id}/${ben.id}`).then(() => true, () => false));
  await page.getByRole("button", { name: "More about Ben" }).click();
  await page.getByRole("menuitem", { name: "Block" }).click();
  await expect(page.getByText("Blocked Ben")).toBeVisible();
  // The profile says it, and ends the following; the list of blocks is not read for that.
  await expect(page.getByRole("button", { name: "Unblock: Ben" })).toBeVisible();
  expect(asked).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: "Unblock: Ben" }).click();
  await expect(page.getByRole("button", { name: "Follow: Ben" })).toBeVisible();
  await page.getByRole("button", { name: "More about Ben" }).click();
  await page.getByRole("menuitem", { name: "Block" }).click();
  await expect(page.getByRole("button", { name: "Unblock: Ben" })).toBeVisible();
  await page.goto("/settings");
  await page.getByRole("button", { name: "Unblock" }).click();
  await expect(page.getByText("You have blocked nobody.")).toBeVisible();
  const orders = page.getByRole("switch", { name: "My orders" });
  await expect(orders).toBeChecked();
  await orders.click();
  await until(async () => (await call(ann, "GET", "/v1/users/me/settings/notifications")).order === false);
  await page.reload();
  await expect(orders).not.toBeChecked();
  await page.getByLabel("Name", { exact: true }).fill("Ann of the river");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved")).toBeVisible();
  expect((await call(ann, "GET", "/v1/users/me")).nickname).toBe("Ann of the river");
});

test("a draft waits on every device, and is posted from another one", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  await page.keyboard.press("c");
  await page.getByRole("dialog").getByRole("textbox").fill("Begun on the train");
  await page.getByRole("button", { name: "Keep as a draft" }).click();
  await expect(page.getByText("Kept as a draft", { exact: true })).toBeVisible();
  const other = await open(browser, ann);
  await other.goto("/drafts");
  await other.getByRole("button", { name: "Begun on the train" }).click();
  await other.getByRole("dialog").getByRole("textbox").fill("Begun on the train, ended at home");
  await other.getByRole("button", { name: "Post", exact: true }).last().click();
  await expect(other.getByText("No drafts")).toBeVisible();
  expect((await call(ann, "GET", `/v1/users/${ann.id}/tweets`)).items.map((t: { content: string }) => t.content)).toEqual(["Begun on the train, ended at home"]);
});

test("a poll: asked, answered once, its result after that", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const hers = await open(browser, ann);
  await hers.keyboard.press("c");
  const dialog = hers.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "New tweet" }).fill("Which colour?");
  await dialog.getByRole("button", { name: "Poll" }).click();
  await dialog.getByLabel("Option 1").fill("Gold");
  await dialog.getByLabel("Option 2").fill("Blue");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await hers.getByRole("button", { name: "Show", exact: true }).click();
  await expect(hers.locator("article.big")).toContainText("0 votes");
  const his = await open(browser, ben);
  await his.goto(new URL(hers.url()).pathname);
  await his.getByRole("button", { name: "Gold" }).click();
  await expect(his.getByLabel("Your vote")).toBeVisible();
  await expect(his.locator("article.big")).toContainText("1 vote");
  await expect(his.locator("article.big")).toContainText("100%");
});
