import { expect, type Browser, type Page } from "@playwright/test";
import { png } from "./files";
import { check } from "./look";
import { call, follows, kept, open, person, signedIn, test, until, type Person } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const dialog = (page: Page) => page.getByRole("dialog");
const log = (page: Page) => page.getByRole("log");
// By what it says alone: its time stands beside it, and "Lantern 1" with "5:03 PM" has "Lantern 15".
const bubble = (page: Page, text: string) =>
  log(page)
    .getByRole("article")
    .filter({ has: page.locator("p:not(.stamp)", { hasText: text }) });
const field = (page: Page) => page.getByRole("textbox", { name: "Write a message" });
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

/** Begins a conversation by the API, or writes in that of two. */
const write = (who: Person, others: Person[], text: string, more = {}): Promise<{ id: string }> =>
  call(who, "POST", "/v1/conversations", { memberIds: others.map(({ id }) => id), text, ...more });
const send = (who: Person, id: string, text: string, more = {}): Promise<{ id: string }> =>
  call(who, "POST", `/v1/conversations/${id}/messages`, { text, ...more });

/** Types a message and sends it. */
async function say(page: Page, text: string) {
  await field(page).fill(text);
  await field(page).press("Enter");
}

/** Opens the menu of a message, and chooses from it. */
async function act(page: Page, text: string, item: string) {
  await bubble(page, text).hover();
  await bubble(page, text)
    .getByRole("button", { name: /^More: / })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Ann and Ben follow each other. */
async function two(): Promise<{ ann: Person; ben: Person }> {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await follows(ben, ann);
  return { ann, ben };
}

test(
  "two people write to each other: found by name, unread in the navigation, live, read when seen",
  { tag: ["@short", "@firefox"] },
  async ({ browser }) => {
    const { ann, ben } = await two();
    const [hers, his] = [await open(browser, ann), await open(browser, ben)];
    await hers.keyboard.press("g");
    await hers.keyboard.press("m");
    await expect(hers.getByText("No messages yet")).toBeInViewport();
    await expect(hers.getByText(/^Not end-to-end encrypted/)).toBeInViewport();
    await hers.getByRole("main").getByRole("button", { name: "New message" }).first().click();
    await dialog(hers).getByRole("searchbox").fill(ben.name);
    await dialog(hers)
      .getByRole("button", { name: /^Ben .*Add$/ })
      .click();
    await dialog(hers).getByRole("button", { name: "Send" }).click();
    await expect(dialog(hers).getByText("Write something.")).toBeInViewport();
    await dialog(hers).getByLabel("Message", { exact: true }).fill("Are you at the river?");
    await dialog(hers).getByRole("button", { name: "Send" }).click();
    await expect(bubble(hers, "Are you at the river?")).toBeInViewport({ ratio: 1 });
    await expect(hers.getByRole("heading", { name: "Ben" })).toBeInViewport();
    await expect(hers.getByText(/^Not end-to-end encrypted/)).toBeInViewport({ ratio: 1 });
    await expect(field(hers)).toBeInViewport({ ratio: 1 });

    // Ben's page asks when he looks at it again.
    await his.evaluate(() => dispatchEvent(new Event("focus")));
    const way = his.getByRole("navigation").getByRole("link", { name: /^Messages/ });
    await expect(way.getByLabel("Unread: 1").first()).toBeInViewport();
    await way.first().click();
    const row = his.getByRole("article").filter({ hasText: "Are you at the river?" });
    await expect(row.getByText("1 unread message")).toBeVisible();
    await row.getByRole("link").click();
    await expect(bubble(his, "Are you at the river?")).toBeInViewport();
    await expect(way.getByLabel("Unread: 1")).toHaveCount(0);
    await expect
      .poll(async () => (await call(ben, "GET", "/v1/conversations/unreadCount")).count)
      .toBe(0);

    // From here on nobody reads anything again: what comes is heard.
    await say(his, "At the old bridge\nwith lanterns");
    await expect(bubble(his, "At the old bridge")).toHaveCount(1);
    await expect(bubble(hers, "At the old bridge")).toBeInViewport({ ratio: 1 });
    await expect(bubble(hers, "At the old bridge").getByText("with lanterns")).toBeInViewport();
    for (let n = 1; n <= 15; n++) await say(hers, `Lantern ${n}`);
    await expect(bubble(his, "Lantern 15")).toBeInViewport({ ratio: 1 });
    const texts = (page: Page) => log(page).locator("article .typed").allInnerTexts();
    const all = [
      "Are you at the river?",
      "At the old bridge\nwith lanterns",
      ...Array.from({ length: 15 }, (_, n) => `Lantern ${n + 1}`),
    ];
    expect(await texts(his)).toEqual(all);
    await expect.poll(() => texts(hers)).toEqual(all);
    await expect(bubble(his, "Are you at the river?")).not.toBeInViewport();
    await expect(hers.locator("[data-waiting]")).toHaveCount(0);
    // What was heard is kept, too.
    await kept(his, "Lantern 15");
  },
);

test("the list of conversations shows one more message in an unread one to somebody who stays", async ({
  browser,
}) => {
  const { ann, ben } = await two();
  const { id } = await write(ben, [ann], "The kettle is on");
  const page = await signedIn(browser, ann, phone);
  await page.clock.install();
  await page.goto("/messages");
  const row = page.getByRole("article");
  await expect(row.getByText("The kettle is on")).toBeInViewport();
  await expect(row.getByText("1 unread message")).toBeVisible();
  await expect(page.getByLabel("Unread: 1").first()).toBeAttached(); // was counted
  await send(ben, id, "The tea is ready");
  await page.clock.fastForward(121_000); // until the next count
  await expect(row.getByText("The tea is ready")).toBeInViewport();
  await expect(row.getByText("2 unread messages")).toBeVisible();
});

test("a message that is written without a network waits, and arrives once, in its order", async ({
  browser,
}) => {
  const { ann, ben } = await two();
  const { id } = await write(ann, [ben], "The first");
  const [hers, his] = [
    await open(browser, ann, `/messages/${id}`),
    await open(browser, ben, `/messages/${id}`),
  ];
  await expect(bubble(hers, "The first")).toBeInViewport();
  await expect(bubble(his, "The first")).toBeInViewport();
  await hers.context().setOffline(true);
  await say(hers, "Sent in a tunnel");
  await say(hers, "And one more");
  await expect(
    bubble(hers, "Sent in a tunnel").getByText("Waiting for the network"),
  ).toBeInViewport();
  await expect(bubble(hers, "And one more").getByText("Waiting for the network")).toBeInViewport({
    ratio: 1,
  });
  await expect(field(hers)).toHaveValue("");
  await kept(hers, "And one more");
  await hers.context().setOffline(false);
  await expect(bubble(his, "And one more")).toBeInViewport({ ratio: 1 });
  await expect(hers.locator("[data-waiting]")).toHaveCount(0);
  const texts = async () =>
    (await call(ben, "GET", `/v1/conversations/${id}/messages`)).items.map((m: any) => m.text);
  expect(await texts()).toEqual(["And one more", "Sent in a tunnel", "The first"]);
  await expect(bubble(hers, "Sent in a tunnel")).toHaveCount(1);

  // An answer that is lost: the message is sent again, and there once.
  let lost = 0;
  await hers.route(`**/v1/conversations/${id}/messages`, async (route) => {
    if (route.request().method() !== "POST" || lost > 0) return route.continue();
    lost++;
    await route.fetch();
    await route.abort();
  });
  await say(hers, "Its answer is lost");
  await expect.poll(() => lost).toBe(1);
  await hers.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(hers.locator("[data-waiting]")).toHaveCount(0);
  await expect(bubble(hers, "Its answer is lost")).toHaveCount(1);
  expect((await texts()).filter((text: string) => text === "Its answer is lost")).toHaveLength(1);
  await expect(bubble(his, "Its answer is lost")).toHaveCount(1);

  // What waits is sent by the next page, too.
  await hers.route(`**/v1/conversations/${id}/messages`, (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await say(hers, "Left behind");
  await expect(bubble(hers, "Left behind").getByText("Waiting for the network")).toBeInViewport();
  await kept(hers, "Left behind");
  await hers.unroute(`**/v1/conversations/${id}/messages`);
  await hers.goto("/");
  await expect(bubble(his, "Left behind")).toBeInViewport({ ratio: 1 });
});

test("what is typed while the browser keeps a message stays in the field, and is sent next", async ({
  browser,
}) => {
  const { ann, ben } = await two();
  const { id } = await write(ann, [ben], "The first");
  const page = await open(browser, ann, `/messages/${id}`);
  await expect(bubble(page, "The first")).toBeInViewport();
  // Another tab is busy with what the browser keeps.
  const busy = page.evaluate(
    (end) =>
      new Promise<void>((done, fail) => {
        const opened = indexedDB.open("hibana");
        opened.onsuccess = () => {
          const hold = opened.result.transaction("kept", "readwrite");
          const store = hold.objectStore("kept");
          const spin = () => {
            if (Date.now() < end) store.get("nothing").onsuccess = spin;
          };
          spin();
          hold.oncomplete = () => (opened.result.close(), done());
          hold.onabort = () => fail(new Error("aborted"));
        };
      }),
    Date.now() + 2000,
  );
  await say(page, "The second");
  await field(page).pressSequentially("The th");
  await expect(field(page)).toHaveValue("The th");
  await busy;
  await expect(page.locator("[data-waiting]")).toHaveCount(0);
  await expect(field(page)).toHaveValue("The th");
  await field(page).pressSequentially("ird");
  await field(page).press("Enter");
  const texts = async () =>
    (await call(ben, "GET", `/v1/conversations/${id}/messages`)).items.map((m: any) => m.text);
  await expect.poll(texts).toEqual(["The third", "The second", "The first"]);
  // A page that ends before the browser has forgotten a message sends it again, under its key.
  await page.reload();
  await expect(bubble(page, "The third").first()).toBeInViewport();
  await expect(bubble(page, "The third")).toHaveCount(1);
  await expect(field(page)).toHaveValue("");
});

test("a message is sent before the part of the page is there that sends what waits elsewhere", async ({
  browser,
}) => {
  const { ann, ben } = await two();
  const { id } = await write(ann, [ben], "The first");
  const page = await signedIn(browser, ann);
  let asked = false;
  await page.route(/\/Messenger-[^/]*\.js/, (route) => ((asked = true), route.abort()));
  await page.goto(`/messages/${id}`);
  await expect(bubble(page, "The first")).toBeInViewport();
  await say(page, "The second");
  await expect(page.locator(".mine", { hasText: "The second" })).toBeInViewport({ ratio: 1 });
  const texts = async () =>
    (await call(ben, "GET", `/v1/conversations/${id}/messages`)).items.map((m: any) => m.text);
  await expect.poll(texts).toEqual(["The second", "The first"]);
  await expect.poll(() => asked).toBe(true);
});

test("a request of a stranger is accepted, another one refused, and the third stranger blocked", async ({
  browser,
}) => {
  const [ann, ben, cyd, dan] = [
    await person("Ann"),
    await person("Ben"),
    await person("Cyd"),
    await person("Dan"),
  ];
  for (const who of [ben, cyd, dan]) await write(who, [ann], `Hello from ${who.name}`);
  const page = await open(browser, ann, "/messages", phone);
  await expect(page.getByText("No messages yet")).toBeInViewport();
  await page.getByRole("link", { name: "Requests (3)" }).click();
  const row = (name: string) => page.getByRole("article").filter({ hasText: name });
  await expect(row("Hello from ben")).toBeInViewport();
  await fits(page);
  await page.getByRole("button", { name: "Refuse: Cyd" }).click();
  await expect(row("Hello from cyd")).toBeHidden();

  await page.getByRole("button", { name: "Block: Dan" }).click();
  await dialog(page).getByRole("button", { name: "Block" }).click();
  await expect(dialog(page)).toBeHidden();
  // Whoever is blocked asks no more: the request is refused, and takes up no place.
  await expect
    .poll(async () => (await call(ann, "GET", "/v1/conversations/unreadCount")).requests)
    .toBe(1);

  // Reading a request tells nobody, and writes nothing.
  await row("Hello from ben").getByRole("link").click();
  await expect(bubble(page, "Hello from ben")).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("Ben wants to message you.")).toBeInViewport();
  await expect(field(page)).toBeHidden();
  await page.getByRole("button", { name: "Accept: Ben" }).click();
  await expect(field(page)).toBeInViewport({ ratio: 1 });
  await say(page, "Hello Ben");
  await expect(bubble(page, "Hello Ben")).toBeInViewport({ ratio: 1 });
  await fits(page);

  const his = await open(browser, ben, "/messages");
  await expect(his.getByRole("article").filter({ hasText: "Hello Ben" })).toBeInViewport();
  const other = await open(browser, cyd, "/messages");
  await other.getByRole("article").filter({ hasText: "Hello from cyd" }).getByRole("link").click();
  // Whoever was refused learns that nothing can be sent, and not why.
  await expect(other.getByText("Nothing can be sent in this conversation.")).toBeInViewport();
  await expect(field(other)).toBeHidden();
});

test("a block ends a conversation of two, and hides a person from those of several", async ({
  browser,
}) => {
  const { ann, ben } = await two();
  const cyd = await person("Cyd");
  await follows(ann, cyd);
  await follows(ben, cyd);
  await follows(cyd, ann);
  const pair = await write(ben, [ann], "Only for Ann");
  const group = await write(cyd, [ann, ben], "For all three", { name: "The river" });
  await send(ben, group.id, "Ben is here, too");
  const page = await open(browser, ann, `/messages/${group.id}`);
  await expect(bubble(page, "Ben is here, too")).toBeInViewport();
  await call(ann, "PUT", `/v1/users/${ben.id}/block`);
  await expect(async () => {
    await page.goto(`/messages/${pair.id}`);
    await expect(page.getByText("Nothing can be sent in this conversation.")).toBeInViewport({
      timeout: 5000,
    });
  }).toPass();
  await expect(field(page)).toBeHidden();
  await expect(bubble(page, "Only for Ann")).toBeInViewport();
  await page.goto(`/messages/${group.id}`);
  await expect(bubble(page, "For all three")).toBeInViewport();
  await expect(bubble(page, "Ben is here, too")).toHaveCount(0);
  await send(ben, group.id, "Ben again");
  await send(cyd, group.id, "Cyd again");
  await expect(bubble(page, "Cyd again")).toBeInViewport();
  expect(await bubble(page, "Ben again").count(), "a message of a hidden person").toBe(0);
  // What she does not see is read with the rest.
  await send(ben, group.id, "Ben at last");
  await expect
    .poll(async () => (await call(ann, "GET", "/v1/conversations/unreadCount")).count, {
      timeout: 30_000,
    })
    .toBe(0);
});

test("answers, reactions, taking back and deleting: with the others at once", async ({
  browser,
}) => {
  const { ann, ben } = await two();
  const { id } = await write(ann, [ben], "Which colour?");
  await send(ann, id, "A mistake");
  const [hers, his] = [
    await open(browser, ann, `/messages/${id}`),
    await open(browser, ben, `/messages/${id}`),
  ];
  await expect(bubble(hers, "A mistake")).toBeInViewport();
  await expect(bubble(his, "A mistake")).toBeInViewport();
  await act(his, "Which colour?", "Reply");
  await expect(his.getByText("Replying to Ann")).toBeInViewport();
  await say(his, "Red");
  await expect(bubble(hers, "Red").getByText("Which colour?")).toBeInViewport({ ratio: 1 });
  await act(hers, "Red", "React with ❤️");
  await expect(hers.getByRole("button", { name: "❤️: You" })).toBeInViewport({ ratio: 1 });
  await expect(his.getByRole("button", { name: "❤️: Ann" })).toBeInViewport({ ratio: 1 });
  await his.getByRole("button", { name: "❤️: Ann" }).click();
  await expect(hers.getByRole("button", { name: "❤️: You, Ben" })).toBeInViewport();
  await hers.getByRole("button", { name: "❤️: You, Ben" }).click();
  await expect(his.getByRole("button", { name: "❤️: You", exact: true })).toBeInViewport();

  await act(hers, "A mistake", "Delete for everybody");
  for (const page of [hers, his]) {
    await expect(bubble(page, "This message was deleted.")).toBeInViewport();
    await expect(page.getByText("A mistake")).toHaveCount(0);
  }
  await act(his, "This message was deleted.", "Delete for me");
  await expect(bubble(his, "This message was deleted.")).toHaveCount(0);
  await his.reload();
  await expect(bubble(his, "Red")).toBeInViewport();
  await expect(bubble(his, "This message was deleted.")).toHaveCount(0);
  await send(ann, id, "Then red it is");
  await expect(bubble(his, "Then red it is")).toBeInViewport();
  // Also one that came while the page was open.
  await act(his, "Then red it is", "Delete for me");
  await send(ann, id, "Or is it gold?");
  await expect(bubble(his, "Or is it gold?")).toBeInViewport();
  expect(await bubble(his, "Then red it is").count()).toBe(0);
  expect(await bubble(his, "This message was deleted.").count()).toBe(0);
  await expect(bubble(hers, "This message was deleted.")).toBeVisible();
});

test("pictures go with a message, with their descriptions, and open above the page", async ({
  browser,
}) => {
  const { ann, ben } = await two();
  const { id } = await write(ann, [ben], "Look");
  await send(ben, id, "At what?");
  const [hers, his] = [
    await open(browser, ann, `/messages/${id}`),
    await open(browser, ben, `/messages/${id}`),
  ];
  await expect(bubble(his, "At what?")).toBeInViewport();
  await hers.locator("input[type=file]").setInputFiles(png("river.png", [200, 60, 20]));
  await hers.getByRole("textbox", { name: /Describe|description/i }).fill("Lanterns on the river");
  await field(hers).fill("Here");
  await hers.getByRole("button", { name: "Send", exact: true }).click();
  for (const page of [hers, his]) {
    const shown = bubble(page, "Here").getByRole("img", { name: "Lanterns on the river" });
    await expect(shown).toBeInViewport({ ratio: 0.9 });
    await expect
      .poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0);
  }
  await bubble(his, "Here").getByRole("link").click();
  await expect(his.getByText("Lanterns on the river").last()).toBeInViewport();
  await his.keyboard.press("Escape");
  await expect(field(his)).toBeInViewport();
});

test("messages are found by their words, a conversation is named, muted, left and deleted", async ({
  browser,
}) => {
  const { ann, ben } = await two();
  const cyd = await person("Cyd");
  await follows(cyd, ann);
  await follows(cyd, ben);
  await follows(ben, cyd);
  const group = await write(ann, [ben, cyd], "We meet under the chestnut");
  for (let n = 1; n <= 30; n++) await send(ann, group.id, `Then plan ${n}`);
  await until(
    async () =>
      (await call(ben, "GET", "/v1/conversations/search?query=chestnut")).items.length === 1,
  );
  const page = await open(browser, ben, "/messages", phone);
  await page.getByRole("main").getByRole("searchbox").fill("chestnut");
  await page.keyboard.press("Enter");
  const hit = page.getByRole("article").filter({ hasText: "We meet under the chestnut" });
  await expect(hit).toBeInViewport();
  await hit.getByRole("link").click();
  await expect(bubble(page, "We meet under the chestnut")).toBeInViewport({ ratio: 1 });
  await expect(bubble(page, "Then plan 30")).not.toBeInViewport();
  await page.getByRole("button", { name: "To the newest message" }).click();
  await expect(bubble(page, "Then plan 30")).toBeInViewport({ ratio: 1 });

  const about = () => page.getByRole("button", { name: "About this conversation" }).click();
  await about();
  for (const name of ["Ann", "Ben", "Cyd"])
    await expect(dialog(page).getByText(name, { exact: true })).toBeInViewport();
  await dialog(page).getByLabel("Name").fill("Under the tree");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await dialog(page).getByRole("button", { name: "Mute for 1 day" }).click();
  await expect(dialog(page).getByText(/^Muted until .*\d/)).toBeInViewport();
  await fits(page);
  await dialog(page).getByRole("button", { name: "Unmute" }).click();
  await dialog(page).getByRole("button", { name: "Mute until I unmute" }).click();
  await expect(dialog(page).getByText("Muted")).toBeInViewport();
  await dialog(page).getByRole("button", { name: "Leave the conversation" }).click();
  await expect(dialog(page).getByText(/You can no longer read it/)).toBeInViewport();
  await dialog(page).getByRole("button", { name: "No", exact: true }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Under the tree" })).toBeInViewport();
  await about();
  await dialog(page).getByRole("button", { name: "Leave the conversation" }).click();
  await dialog(page).getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("No messages yet")).toBeInViewport();
  await page.goto(`/messages/${group.id}`);
  await expect(page.getByText("There is nothing here")).toBeInViewport();
  await expect(page.getByText("Then plan 30")).toHaveCount(0);

  // Deleted for Ann alone, and back with the next message.
  const hers = await signedIn(browser, ann);
  // The messages are there before the conversation: they stand at their end all the same.
  await hers.route(
    (url) => url.pathname.endsWith(`/conversations/${group.id}`),
    async (route) => {
      await new Promise((due) => setTimeout(due, 700));
      await route.continue();
    },
    { times: 1 },
  );
  await hers.goto(`/messages/${group.id}`);
  await expect(bubble(hers, "Then plan 30")).toBeInViewport();
  await hers.getByRole("button", { name: "About this conversation" }).click();
  await dialog(hers).getByRole("button", { name: "Delete the conversation for me" }).click();
  await dialog(hers).getByRole("button", { name: "Confirm" }).click();
  await expect(hers.getByText("No messages yet")).toBeInViewport();
  await call(cyd, "POST", `/v1/conversations/${group.id}/accept`).catch(() => undefined);
  await send(cyd, group.id, "Are you still there?");
  await hers.goto(`/messages/${group.id}`);
  await expect(bubble(hers, "Are you still there?")).toBeInViewport();
  await send(cyd, group.id, "Hello?");
  await expect(bubble(hers, "Hello?")).toBeInViewport();
  expect(await log(hers).getByRole("article").count()).toBe(2);
});

test("a message is reported to moderators, from a request and from a conversation", async ({
  browser,
}) => {
  const [ann, dan] = [await person("Ann"), await person("Dan")];
  const { id } = await write(dan, [ann], "Buy my lanterns");
  const page = await open(browser, ann, "/messages?requests", phone);
  const report = async () => {
    await dialog(page).getByLabel("More for the moderators").fill("An advertisement");
    const [answer] = await Promise.all([
      page.waitForResponse(/\/v1\/reports$/),
      dialog(page).getByRole("button", { name: "Send" }).click(),
    ]);
    expect(answer.ok()).toBe(true);
    await expect(dialog(page)).toBeHidden();
  };
  await page.getByRole("button", { name: "Report: Dan" }).click();
  await report();
  await call(ann, "POST", `/v1/conversations/${id}/accept`);
  await send(dan, id, "Buy two");
  await page.goto(`/messages/${id}`);
  await act(page, "Buy two", "Report");
  await report();
});

test("a profile leads to a message, and a setting says who may write", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const page = await open(browser, ben, "/settings");
  const setting = page.getByLabel("Who may write to me");
  await setting.scrollIntoViewIfNeeded();
  await expect(setting).toBeInViewport();
  await setting.selectOption("following");
  await expect
    .poll(async () => (await call(ben, "GET", "/v1/users/me")).messagesFrom)
    .toBe("following");
  const hers = await open(browser, ann, `/users/${ben.id}`);
  const message = async () => {
    await hers.getByRole("button", { name: "More about Ben" }).click();
    await hers.getByRole("menuitem", { name: "Message Ben" }).click();
    await dialog(hers).getByLabel("Message", { exact: true }).fill("May I?");
    await dialog(hers).getByRole("button", { name: "Send" }).click();
  };
  await message();
  await expect(dialog(hers).getByRole("alert")).toBeInViewport();
  await setting.selectOption("everybody");
  await expect
    .poll(async () => (await call(ben, "GET", "/v1/users/me")).messagesFrom)
    .toBe("everybody");
  await dialog(hers).getByRole("button", { name: "Send" }).click();
  await expect(bubble(hers, "May I?")).toBeInViewport();
  await expect(hers.getByText("Ben has not accepted your message yet.")).toBeInViewport();
});

test("the newest message is one's own: nothing is marked as read, and a question names the last count", async ({
  browser,
}) => {
  const { ann, ben } = await two();
  const { id } = await write(ann, [ben], "Who brings lanterns?");
  await send(ben, id, "I do");
  const page = await signedIn(browser, ben);
  await page.clock.install();
  let marked = 0;
  const asked: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    marked += Number(request.method() === "PUT" && pathname.endsWith("/read"));
    if (request.method() === "GET" && pathname.endsWith("/conversations/unreadCount"))
      asked.push(searchParams.get("since"));
  });
  await page.goto(`/messages/${id}`);
  await expect(bubble(page, "I do")).toBeInViewport({ ratio: 1 });
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(asked[0], "the first question counts").toBeNull();
  const way = page.getByRole("navigation").getByRole("link", { name: /^Messages/ });
  const before = asked.length;
  await expect(async () => {
    await page.clock.fastForward(61_000);
    expect(asked.slice(before).filter(Boolean).length).toBeGreaterThan(0);
  }).toPass();
  expect(marked, "marks of a message of one's own").toBe(0);

  await send(ann, id, "And the tea?");
  await expect(bubble(page, "And the tea?")).toBeInViewport({ ratio: 1 });
  await expect.poll(() => marked).toBe(1);
  await expect(way.getByLabel(/^Unread/)).toHaveCount(0);
});

test("the part after a full one is listened to, and older messages come when somebody scrolls", async ({
  browser,
}) => {
  const { ann, ben } = await two();
  // A time stands behind each text: without an end "Message 10" at 2:09 were one of "Message 102".
  const { id } = await write(ann, [ben], "Message 1!");
  for (let n = 2; n <= 98; n++) await send(ann, id, `Message ${n}!`);
  const page = await open(browser, ben, `/messages/${id}`, phone);
  await expect(bubble(page, "Message 98!")).toBeInViewport({ ratio: 1 });
  await send(ann, id, "Message 99!"); // once it is there, the page listens
  await expect(bubble(page, "Message 99!")).toBeInViewport({ ratio: 1 });
  let asked = 0;
  page.on("request", (request) => (asked += Number(/\/messages(\?|$)/.test(request.url()))));
  for (let n = 100; n <= 103; n++) await send(ann, id, `Message ${n}!`);
  await expect(bubble(page, "Message 103!")).toBeInViewport({ ratio: 1 });
  expect(await log(page).getByRole("article").count()).toBe(103);
  expect(asked, "nothing is read again").toBe(0);

  // The newest part has few messages: older ones come by themselves, and the window stays at its end.
  await page.reload();
  await expect(bubble(page, "Message 103!")).toBeInViewport({ ratio: 1 });
  await expect(log(page).getByRole("article")).toHaveCount(103);
  await expect(bubble(page, "Message 103!")).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await expect(bubble(page, "Message 102!")).toBeFocused();
  await page.keyboard.press("r");
  await expect(page.getByText("Replying to Ann")).toBeInViewport({ ratio: 1 });
  await expect(field(page)).toBeFocused();
});

/** Conversations in several scripts, with requests, answers, reactions and what was taken back. */
async function talkative(): Promise<{ ann: Person; group: string; request: string }> {
  const { ann, ben } = await two();
  const [sara, dan] = [await person("Sara"), await person("Dan")];
  await call(sara, "PATCH", `/v1/users/${sara.id}`, { nickname: "سارة من ضفة النهر" });
  await follows(sara, ann);
  await follows(ben, ann);
  await follows(ann, sara);
  const group = await write(ann, [ben, sara], "Who brings the lanterns?", {
    name: "The summer festival at the river with everybody",
  });
  const answer = await send(sara, group.id, "أنا أحضر الفوانيس 🎆", {
    replyTo: (await call(ann, "GET", `/v1/conversations/${group.id}/messages`)).items[0].id,
  });
  await call(ann, "PUT", `/v1/conversations/${group.id}/messages/${answer.id}/reaction`, {
    emoji: "❤️",
  });
  await send(
    ben,
    group.id,
    "花火は 8 時から。 https://example.com/a/very/long/address/that/goes/on",
  );
  const mistake = await send(ann, group.id, "Wrong window");
  await call(ann, "DELETE", `/v1/conversations/${group.id}/messages/${mistake.id}`);
  await send(ann, group.id, "I come a little later, and bring the tea.");
  await write(ben, [ann], "Just between us: it will rain.");
  const request = await write(dan, [ann], "We met at the market, do you remember?");
  return { ann, group: group.id, request: request.id };
}

/** Opens the pages and windows of messages, and looks at each. */
async function tour(
  browser: Browser,
  { ann, group, request }: { ann: Person; group: string; request: string },
  look: (page: Page, name: string) => Promise<void>,
  options = {},
) {
  const page = await signedIn(browser, ann, options);
  await page.goto("/messages");
  await expect(page.getByRole("main").getByRole("article")).toHaveCount(2);
  await look(page, "messages-list");
  await page.goto("/messages?requests");
  await expect(page.getByRole("main").getByRole("article")).toHaveCount(1);
  await look(page, "messages-requests");
  await page.goto(`/messages/${request}`);
  await expect(log(page).getByRole("article")).toHaveCount(1);
  await look(page, "messages-request");
  await page.goto(`/messages/${group}`);
  await expect(log(page).getByRole("article")).toHaveCount(5);
  await look(page, "messages-conversation");
  await page.locator(".conversation > .top button").first().click();
  await expect(dialog(page)).toBeVisible();
  await look(page, "messages-details");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await page.goto("/messages");
  await page.locator(".top .icon").first().click();
  await expect(dialog(page)).toBeVisible();
  await dialog(page).getByRole("searchbox").fill(ann.name.slice(0, 3));
  await look(page, "messages-begin");
}

test("messages in every look: accessible, as wide as the window, photographed", async ({
  browser,
}) => {
  await tour(browser, await talkative(), check);
});

for (const [language, locale] of [
  ["en", "en-GB"],
  ["ja", "ja-JP"],
] as const)
  test(`messages at 200 %, and from right to left, stay within the window, in ${language}`, async ({
    browser,
  }) => {
    await tour(
      browser,
      await talkative(),
      async (page, name) => {
        for (const [look, width, height, dir] of [
          ["double", 640, 450, "ltr"],
          ["double-phone", 180, 370, "ltr"],
          ["phone", 360, 740, "ltr"],
          ["rtl", 360, 740, "rtl"],
          ["rtl-desktop", 1280, 900, "rtl"],
        ] as const) {
          await page.setViewportSize({ width, height });
          await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
          await fits(page);
          const window = dialog(page);
          if (await window.isVisible()) {
            await expect
              .poll(() => window.evaluate((box) => box.scrollWidth - box.clientWidth))
              .toBeLessThanOrEqual(0);
          } else if (name === "messages-conversation") {
            const area = page.locator(".writing textarea");
            await area.scrollIntoViewIfNeeded();
            await expect(area, look).toBeInViewport({ ratio: 1 });
            // Nothing lies over it.
            await area.click({ trial: true });
          }
          await page.screenshot({
            path: `screenshots/${name}-${language}-${look}.png`,
            animations: "disabled",
          });
        }
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.evaluate(() => (document.documentElement.dir = "ltr"));
      },
      { locale },
    );
  });
