import { expect } from "@playwright/test";
import {
  atHome,
  call,
  follows,
  fresh,
  kept,
  open,
  password,
  person,
  post,
  test,
  until,
  write,
} from "./people";

test(
  "a guest looks around, and keeps the account",
  { tag: ["@short", "@firefox"] },
  async ({ browser }) => {
    const ben = await person("Ben");
    const tweet = await post(ben, "For everybody who looks");
    const page = await fresh(browser);
    await page.goto("/");
    await page.getByRole("button", { name: "Look around first" }).click();
    await expect(page.getByRole("article").first()).toBeVisible();
    await page.goto(`/tweets/${tweet.id}`);
    await expect(page.getByText("For everybody who looks").first()).toBeVisible();
    await page
      .getByRole("button", { name: /^Like, / })
      .first()
      .click(); // guests are asked in
    await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
    const uid = () =>
      page.evaluate(
        () =>
          new Promise<string>((resolve) => {
            const opened = indexedDB.open("firebaseLocalStorageDb");
            opened.onsuccess = () => {
              const all = opened.result
                .transaction("firebaseLocalStorage")
                .objectStore("firebaseLocalStorage")
                .getAll();
              all.onsuccess = () => resolve(all.result[0]?.value.uid ?? "");
            };
          }),
      );
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
  },
);

test("a taken username and a wrong password get a sentence", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await fresh(browser);
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(ann.email);
  await page.getByLabel("Password").fill("not the password");
  await page.locator("form button.main").click();
  await expect(page.getByRole("alert")).toHaveText("The e-mail address or the password is wrong.");
  await page.goto("/sign-up");
  await page.getByLabel("E-mail").fill(`other_${ann.name}@example.com`);
  await page.getByLabel("Password").fill(password);
  await page.locator("form button.main").click();
  await page.getByLabel("Username").fill(ann.name);
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("alert")).toHaveText("Somebody has this username. Choose another.");
});

test(
  "by keys alone: choose, like, open, answer, go home",
  { tag: ["@short", "@firefox"] },
  async ({ browser }) => {
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
    await expect(chosen.getByRole("button", { name: /Unlike/ })).toBeVisible();
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
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  },
);

test("an edit that somebody else was faster with loses nothing", async ({ browser }) => {
  const ann = await person("Ann");
  const tweet = await post(ann, "First words");
  const page = await open(browser, ann, `/tweets/${tweet.id}`);
  await page.locator("article.big").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Edit", exact: true }).click();
  const text = page.getByRole("dialog").getByRole("textbox");
  await expect(text).toHaveValue("First words");
  await text.fill("Words of this browser");
  const { response } = {
    response: await fetch(`${process.env.HIBANA_URL}/v1/tweets/${tweet.id}`, {
      headers: { Authorization: `Bearer ${ann.token}` },
    }),
  };
  await fetch(`${process.env.HIBANA_URL}/v1/tweets/${tweet.id}`, {
    method: "PATCH",
    headers: {
      Authorization: `Bearer ${ann.token}`,
      "Content-Type": "application/json",
      "If-Match": response.headers.get("ETag")!,
    },
    body: JSON.stringify({ content: "Words of the phone" }),
  });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("It was edited elsewhere");
  await expect(text).toHaveValue("Words of this browser");
  expect((await call(ann, "GET", `/v1/tweets/${tweet.id}`)).content).toBe("Words of the phone");

  // And one that is in time, with its history.
  await page.reload();
  await page.locator("article.big").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Edit", exact: true }).click();
  await expect(text).toHaveValue("Words of the phone");
  await text.fill("The last words");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator("article.big")).toContainText("The last words");
  await page.locator("article.big").getByRole("button", { name: "edited" }).click();
  await expect(page.getByRole("dialog")).toContainText("First words");
});

test("people: follow, block, settings", { tag: ["@short", "@firefox"] }, async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const page = await open(browser, ann);
  const asked: string[] = [];
  page.on(
    "request",
    (request) =>
      void (
        /\/v1\/(relationships|users\/me\/blocks)/.test(request.url()) && asked.push(request.url())
      ),
  );
  await page.goto(`/users/${ben.id}`);
  await page.getByRole("button", { name: "Follow: Ben" }).click();
  await expect(page.getByRole("button", { name: "Following: Ben" })).toBeVisible();
  await until(() =>
    call(ann, "GET", `/v1/relationships/${ann.id}/${ben.id}`).then(
      () => true,
      () => false,
    ),
  );
  await page.getByRole("button", { name: "More about Ben" }).click();
  await page.getByRole("menuitem", { name: "Block" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Block" }).click();
  await expect(page.getByText("Blocked Ben", { exact: true })).toBeVisible();
  // The profile says it, and ends the following; the list of blocks is not read for that.
  await expect(page.getByRole("button", { name: "Unblock: Ben" })).toBeVisible();
  expect(asked).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: "Unblock: Ben" }).click();
  await expect(page.getByRole("button", { name: "Follow: Ben" })).toBeVisible();
  await page.getByRole("button", { name: "More about Ben" }).click();
  await page.getByRole("menuitem", { name: "Block" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Block" }).click();
  // The button changes at once; the words come with the answer, which leaving the page would cut off.
  await expect(page.getByText("Blocked Ben", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Unblock: Ben" })).toBeVisible();
  await page.goto("/settings/muted");
  await page.getByRole("button", { name: "Unblock" }).click();
  await expect(page.getByText("You have blocked nobody.")).toBeVisible();
  await page.goto("/settings");
  const orders = page.getByRole("switch", { name: "My orders" });
  await expect(orders).toBeChecked();
  await orders.click();
  await until(
    async () => (await call(ann, "GET", "/v1/users/me/settings/notifications")).order === false,
  );
  await page.reload();
  await expect(orders).not.toBeChecked();
  await page.getByLabel("Name", { exact: true }).fill("Ann of the river");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved")).toBeVisible();
  expect((await call(ann, "GET", "/v1/users/me")).nickname).toBe("Ann of the river");
});

test("settings: a profile that was kept is shown, and does not undo what was changed elsewhere", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  await kept(page, ann.name);
  await call(ann, "PATCH", `/v1/users/${ann.id}`, {
    locked: true,
    introduction: "Written elsewhere",
  });
  let answer = () => {};
  const held = new Promise<void>((release) => (answer = release));
  await page.route("**/v1/users/me*", async (route) => (await held, await route.continue()));
  await page.goto("/settings");
  const locked = page.getByRole("switch", { name: "I approve who follows me" });
  await expect(locked).not.toBeChecked();
  await page.getByLabel("Name", { exact: true }).fill("Ann of the hills");
  answer();
  await expect(locked).toBeChecked();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved")).toBeVisible();
  expect(await call(ann, "GET", "/v1/users/me")).toMatchObject({
    nickname: "Ann of the hills",
    locked: true,
    introduction: "Written elsewhere",
  });
});

test("a locked person: asked, not asked any more at a second click, and accepts", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await call(ben, "PATCH", `/v1/users/${ben.id}`, { locked: true });
  const page = await open(browser, ann, `/users/${ben.id}`);
  let answer = () => {};
  const held = new Promise<void>((release) => (answer = release));
  const methods: string[] = [];
  await page.route(
    `**/v1/users/${ben.id}/follow`,
    async (route) => (methods.push(route.request().method()), await held, await route.continue()),
  );
  await page.getByRole("button", { name: "Follow: Ben" }).click();
  await page.getByRole("button", { name: "Following: Ben" }).click();
  await expect.poll(() => methods.length).toBe(1);
  answer();
  await expect.poll(() => methods).toEqual(["PUT", "DELETE"]);
  await expect(page.getByRole("button", { name: "Follow: Ben" })).toBeVisible();
  await expect(page.getByRole("link", { name: "0 Followers" })).toBeVisible();
  await until(
    async () => (await call(ben, "GET", "/v1/users/me/followRequests")).items.length === 0,
  );
  await page.getByRole("button", { name: "Follow: Ben" }).click();
  await expect(page.getByRole("button", { name: "Requested: Ben" })).toBeVisible();

  const his = await open(browser, ben);
  const requests = /\/v1\/users\/me\/followRequests$/;
  await his.route(requests, (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: JSON.stringify({
        status: 500,
        code: "internal",
        title: "",
        detail: "",
        type: "about:blank",
      }),
    }),
  );
  await his.goto("/settings");
  await expect(his.getByText("Something went wrong on our side. Try again.")).toBeVisible();
  await his.unroute(requests);
  await his.getByRole("button", { name: "Try again" }).click();
  await his.getByRole("button", { name: "Accept: Ann" }).click();
  await expect(his.getByRole("heading", { name: "Asks to follow you" })).toBeHidden();
  await until(async () => (await call(ann, "GET", `/v1/users/${ben.id}`)).following === true);
});

test(
  "a draft waits on every device, and is posted from another one",
  { tag: "@short" },
  async ({ browser }) => {
    const ann = await person("Ann");
    const page = await open(browser, ann);
    await write(page);
    await page.getByRole("dialog").getByRole("textbox").fill("Begun on the train");
    await page.getByRole("button", { name: "Keep as a draft" }).click();
    await expect(page.getByText("Kept as a draft", { exact: true })).toBeVisible();
    const other = await open(browser, ann, "/drafts");
    await other.getByRole("button", { name: "Begun on the train" }).click();
    await other.getByRole("dialog").getByRole("textbox").fill("Begun on the train, ended at home");
    await other.getByRole("button", { name: "Post", exact: true }).last().click();
    await expect(other.getByText("No drafts")).toBeVisible();
    await expect
      .poll(async () =>
        (await call(ann, "GET", `/v1/users/${ann.id}/tweets`)).items.map(
          (t: { content: string }) => t.content,
        ),
      )
      .toEqual(["Begun on the train, ended at home"]);
  },
);

test("a poll: asked, answered once, its result after that", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const hers = await open(browser, ann);
  await write(hers);
  const dialog = hers.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "New tweet" }).fill("Which colour?");
  await dialog.getByRole("button", { name: "Poll" }).click();
  await dialog.getByLabel("Option 1").fill("Gold");
  await dialog.getByLabel("Option 2").fill("Blue");
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  await hers.getByRole("button", { name: "Show", exact: true }).click();
  await expect(hers.locator("article.big")).toContainText("0 votes");
  const his = await open(browser, ben, new URL(hers.url()).pathname);
  await expect(his.getByRole("button", { name: "Gold" })).toBeVisible();
  // The vote is counted late: the page reads twice what was there before.
  const uncounted = await his.evaluate(
    (id) => fetch(`/v1/tweets/${id}?format=html`).then((answer) => answer.json()),
    new URL(hers.url()).pathname.split("/").at(-1),
  );
  uncounted.poll = {
    ...uncounted.poll,
    voted: 1,
    options: uncounted.poll.options.map((option: object) => ({ ...option, votes: 0 })),
  };
  await his.route(`**/v1/tweets/${uncounted.id}?*`, (route) => route.fulfill({ json: uncounted }), {
    times: 2,
  });
  let votes = 0;
  his.on("request", (request) => void (votes += request.url().endsWith("/vote") ? 1 : 0));
  await his
    .getByRole("button", { name: "Gold" })
    .evaluate((gold: HTMLButtonElement) => (gold.click(), gold.click()));
  await expect(his.getByLabel("Your vote")).toBeVisible();
  expect(votes, "of a double click").toBe(1);
  await expect(his.locator("article.big")).toContainText("0 votes");
  await expect(his.locator("article.big")).toContainText("1 vote");
  await expect(his.locator("article.big")).toContainText("100%");
});

test("the preview shows what the API makes of the text", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  const text =
    `# A title\n\nHello **world** and *you*, ~~not~~ @${ann.name} #spark #花火, no a#tag, #1, mail@${ann.name}\nand \`code #no\` in <b>one</b> &amp; <script>alert(1)</script> line  \nbroken\n\n` +
    '- one\n- two\n  1. inner\n\n> said [a link #no](https://example.com/a?b=1&c=2), https://example.org/x_y. [bad](javascript:alert(1)) \\#no\n\n```go\nx := "<y>"\n```\n\n---\n\n![alt](https://example.com/a.png) ![none](javascript:alert(1))\n\n[x]: https://example.com\n\nSnake_case_word [x] **[bold link](https://example.com)**';
  // A picture that does not load would not stay.
  await page.route("https://example.com/a.png", (route) =>
    route.fulfill({ path: "public/icon.svg" }),
  );
  await write(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(text);
  await dialog.getByRole("button", { name: "Preview" }).click();
  await expect(dialog.locator(".prose strong").first()).toHaveText("world");
  await dialog.getByRole("button", { name: /^Load the picture/ }).click();
  await expect(dialog.locator(".prose img")).toHaveCount(1);
  const shown = await dialog.locator(".prose").innerHTML();
  const tweet = await post(ann, text);
  // Elements and texts are the same; attributes are the server's.
  const plain = (html: string) =>
    page.evaluate((html) => {
      const body = new DOMParser().parseFromString(html, "text/html").body;
      for (const element of body.querySelectorAll("*"))
        for (const { name } of [...element.attributes])
          if (name !== "src") element.removeAttribute(name);
      return body.innerHTML
        .replaceAll(/>\s+(?=<)/g, ">")
        .replaceAll(/\s+(?=<\/(code|li|blockquote)>)/g, "")
        .replaceAll(/\s+(?=<[ou]l>)/g, "")
        .replaceAll(/(<(li|blockquote|br)>)\s+/g, "$1")
        .trim();
    }, html);
  expect(await plain(shown)).toBe(
    await plain((await call(ann, "GET", `/v1/tweets/${tweet.id}?format=html`)).html),
  );
  // What is posted is shown as it was in the preview, at once.
  await page.getByRole("button", { name: "Post", exact: true }).last().click();
  await expect(page.getByRole("article").first().locator(".prose strong").first()).toHaveText(
    "world",
  );
});

test("what somebody shares can be hidden, and shown again", async ({ browser }) => {
  const [ann, ben, cyd] = [await person("Ann"), await person("Ben"), await person("Cyd")];
  await follows(ann, ben);
  const [one, two] = [await post(cyd, "Shared on Monday"), await post(cyd, "Shared on Tuesday")];
  const own = await post(ben, "Written by Ben himself");
  await call(ben, "PUT", `/v1/tweets/${one.id}/share`);
  await call(ben, "PUT", `/v1/tweets/${two.id}/share`);
  await atHome(ann, one, two, own);
  const page = await open(browser, ann);
  await expect(page.getByText("Shared on Monday")).toBeVisible();
  await page
    .getByRole("article")
    .filter({ hasText: "Shared on Tuesday" })
    .getByRole("button", { name: "More" })
    .click();
  await page.getByRole("menuitem", { name: "Hide the shares of Ben" }).click();
  await expect(page.getByText("Shares of Ben are hidden")).toBeVisible();
  await expect(page.getByText("Shared on Monday")).toBeHidden();
  await expect(page.getByText("Written by Ben himself")).toBeVisible();
  const hidden = async () =>
    (await call(ann, "GET", "/v1/users/me/hiddenSharers")).items.map(
      (one: { user: { id: string } }) => one.user.id,
    );
  expect(await hidden()).toEqual([ben.id]);

  // The profile's menu says what is, and the settings list it. The profile has what its user
  // shares, but for whoever hides it.
  await page.goto(`/users/${ben.id}`);
  await expect(page.getByText("Written by Ben himself")).toBeVisible();
  await expect(page.getByText("Shared on Monday")).toBeHidden();
  await page.getByRole("button", { name: "More about Ben" }).click();
  await page.getByRole("menuitem", { name: "Show shares" }).click();
  await expect.poll(hidden).toEqual([]);
  const shared = page.getByRole("article").filter({ hasText: "Shared on Monday" });
  await expect(shared.getByText("Ben shared")).toBeVisible();
  await expect(shared.getByText("Cyd", { exact: true })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(3);
  await page.getByRole("button", { name: "More about Ben" }).click();
  await page.getByRole("menuitem", { name: "Hide shares" }).click();
  await expect.poll(hidden).toEqual([ben.id]);
  await page.goto("/settings/muted");
  await page.getByRole("button", { name: "Show shares: Ben" }).click();
  await expect(page.getByText("You hide nobody's shares.")).toBeVisible();
  expect(await hidden()).toEqual([]);
  await page.goto("/");
  await expect(page.getByText("Shared on Monday")).toBeVisible();
});

test("a profile shows its introduction as Markdown", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await call(ben, "PATCH", `/v1/users/${ben.id}`, {
    introduction: "I make **sparks**, see #hanabi <b>",
  });
  const page = await open(browser, ann, `/users/${ben.id}`);
  await expect(page.locator(".profile .prose strong")).toHaveText("sparks");
  await expect(page.locator(".profile .prose")).toHaveText("I make sparks, see #hanabi <b>");
  await page.locator(".profile .prose").getByRole("link", { name: "#hanabi" }).click();
  await expect(page).toHaveURL(/\/tags\/hanabi$/);
});
