import {
  expect,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from "@playwright/test";
import { check } from "./look";
import {
  atHome,
  authOf,
  call,
  follows,
  fresh,
  inBrowser,
  kept,
  open,
  password,
  person,
  post,
  test,
  type Person,
} from "./people";

const phone = { viewport: { width: 360, height: 740 } };

/** Returns the uid of the token that a request has. */
const uidOf = (authorization: string | undefined) =>
  authorization &&
  (JSON.parse(Buffer.from(authorization.split(".")[1]!, "base64url").toString()) as { sub: string })
    .sub;

/** Watches a page: by document, whose tokens it sent to the API. */
function tokens(page: Page): Set<string>[] {
  const documents: Set<string>[] = [new Set()];
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      documents.push(new Set());
    const uid = uidOf(request.headers()["authorization"]);
    if (uid && new URL(request.url()).pathname.startsWith("/v1/")) documents.at(-1)!.add(uid);
  });
  return documents;
}

const entry = (who: Person, app: string) => ({
  app,
  uid: who.id,
  username: who.name,
  nickname: who.name,
  avatar: "",
});

/** Adds accounts to what a browser keeps, as its pages and Firebase Auth do. */
async function also(context: BrowserContext, ...others: Person[]) {
  const entries = others.map((who, n) => ({
    who,
    entry: entry(who, `hibana-${n + 2}`),
    auth: authOf(who, `hibana-${n + 2}`),
  }));
  const page = context.pages()[0]!;
  await page.evaluate((entries) => {
    const all = JSON.parse(localStorage.getItem("hibana.accounts")!) as unknown[];
    for (const { entry, auth } of entries) {
      all.push(entry);
      localStorage.setItem(`firebase:authUser:any:${entry.app}`, JSON.stringify(auth));
    }
    localStorage.setItem("hibana.accounts", JSON.stringify(all));
  }, entries);
}

async function two(
  browser: Parameters<typeof open>[0],
  [ann, ben]: [Person, Person],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await open(browser, ann, "/", options);
  await also(page.context(), ben);
  await page.reload();
  await shows(page, ann);
  return page;
}

const button = (page: Page) => page.getByRole("button", { name: /^Accounts .*@/ });
const shows = (page: Page, who: Person) =>
  expect(button(page)).toHaveAccessibleName(new RegExp(`@${who.name}$`));

async function choose(page: Page, item: string | RegExp) {
  await button(page).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Fills in the door. */
async function signIn(page: Page, who: Person) {
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password").fill(password);
  await page.locator("form button.main").click();
}

/** Returns what the browser keeps in localStorage, and the names of its databases. */
const keeps = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name!),
  }));

test(
  "a person adds an account, switches by a click, and signs out of one: what is of the other stays and does not show",
  { tag: ["@short"] },
  async ({ browser }) => {
    const [ann, ben, carol] = [await person("Ann"), await person("Ben"), await person("Carol")];
    await follows(ann, carol);
    await atHome(ann, await post(carol, "For Ann alone"));
    const page = await open(browser, ann);
    const documents = tokens(page);
    await expect(page.getByText("For Ann alone")).toBeVisible();
    await page.evaluate(
      ([ann, ben]) => {
        localStorage.setItem(`hibana.device.${ann}`, "device-of-ann");
        localStorage.setItem(`hibana.device.${ben}`, "device-of-ben");
      },
      [ann.id, ben.id],
    );
    await choose(page, "Add an account");
    await expect(page.getByRole("heading", { name: "Add an account" })).toBeInViewport();
    await expect(page.getByText("You stay signed in to your other accounts.")).toBeInViewport();
    await signIn(page, ben);
    await shows(page, ben);
    await expect(page.getByText("Nothing here yet")).toBeVisible();
    await page.keyboard.press("c");
    await page
      .getByRole("textbox", { name: "What's happening?" })
      .or(page.locator("textarea"))
      .first()
      .fill("A draft of Ben");
    await page.getByRole("button", { name: "Emoji" }).first().click();
    await expect
      .poll(async () => (await keeps(page)).databases)
      .toContain(`emoji-picker-element-en-${ben.id}`);

    await choose(page, new RegExp(`@${ann.name}`));
    await shows(page, ann);
    await expect(page.getByText("For Ann alone")).toBeVisible();
    await page.goto("/drafts");
    await expect(page.getByText("No drafts")).toBeVisible();
    await expect(page.getByText("A draft of Ben")).toHaveCount(0);

    const asked = page.waitForRequest("**/v1/users/me/pushSubscriptions/device-of-ann");
    await choose(page, `Sign out of @${ann.name}`);
    expect(uidOf((await asked).headers()["authorization"])).toBe(ann.id);
    await shows(page, ben);
    await page.goto("/drafts");
    await expect(page.getByText("A draft of Ben")).toBeVisible();
    const { local, databases } = await keeps(page);
    expect(local.filter((key) => key.includes(ann.id))).toEqual([]);
    expect(local).toContain(`hibana.device.${ben.id}`);
    expect(databases).toContain(`emoji-picker-element-en-${ben.id}`);
    expect(JSON.stringify(await inBrowser(page))).not.toContain("For Ann alone");
    // Each page sent the token of one account.
    expect(documents.filter(({ size }) => size > 1)).toEqual([]);
    expect(documents.filter(({ size }) => size === 1).length).toBeGreaterThan(3);
  },
);

test("a tab keeps its account, also after a reload, while another one has another; one whose session ended says so, and comes back after the sign-in", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const tweet = await post(ben, "Liked by whom?");
  const page = await two(browser, [ann, ben]);
  const context = page.context();
  const other = await context.newPage();
  const documents = [tokens(page), tokens(other)];
  await other.goto("/");
  await shows(other, ann); // the one that was used last
  await choose(other, new RegExp(`@${ben.name}`));
  await shows(other, ben);
  await page.goto(`/tweets/${tweet.id}`);
  await shows(page, ann);
  await page.getByRole("button", { name: /^Like/ }).first().click();
  await expect
    .poll(async () => (await call(ann, "GET", `/v1/tweets/${tweet.id}`)).liked ?? true)
    .toBe(true);
  await page.reload();
  await shows(page, ann);
  const third = await context.newPage();
  await third.goto("/explore");
  await shows(third, ann); // Ann's page was loaded last
  await third.close();

  // Ben signs out everywhere, on another device.
  await other.goto("/bookmarks?from=here");
  await shows(other, ben);
  const now = Math.floor(Date.now() / 1000);
  await expect.poll(() => Math.floor(Date.now() / 1000), { intervals: [50] }).toBeGreaterThan(now);
  await call(ben, "DELETE", "/v1/users/me/sign-ins");
  await other.reload();
  const sentence = other.getByRole("status").filter({ hasText: "You are signed out" });
  await expect(sentence).toBeInViewport();
  await expect(other).toHaveURL("/sign-in");
  // The other page of the browser says it in its menu.
  await button(page).click();
  await expect(
    page.getByRole("menuitem", { name: new RegExp(`@${ben.name}.*Signed out`) }),
  ).toBeInViewport();
  await page.keyboard.press("Escape");
  await expect
    .poll(() => Math.floor(Date.now() / 1000), { intervals: [50] })
    .toBeGreaterThan(now + 1);
  await signIn(other, ben);
  await expect(other).toHaveURL("/bookmarks?from=here");
  await shows(other, ben);
  for (const of of documents) expect(of.filter(({ size }) => size > 1)).toEqual([]);

  // Who signs out of all leaves nothing of any of them.
  await choose(page, "Sign out of all accounts");
  await expect(page.getByRole("button", { name: "Look around first" })).toBeVisible();
  await expect(other.getByRole("status").filter({ hasText: "You are signed out" })).toBeVisible();
  const left = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(left).not.toContain(ann.id);
  expect(left).not.toContain(ben.id);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a page whose app another account has taken sends nothing with that one's token, and another page comes", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const page = await open(browser, ann);
  const documents = tokens(page);
  await shows(page, ann);
  await page.keyboard.press("g");
  await page.keyboard.press("e"); // the page goes on reading
  // Firebase Auth has taken over what the test kept, and has written what it read of the account anew.
  await page.waitForFunction(() => !localStorage.getItem("firebase:authUser:any:[DEFAULT]"));
  await page.waitForFunction(
    () =>
      new Promise<boolean>((done) => {
        const opened = indexedDB.open("firebaseLocalStorageDb");
        opened.onsuccess = () => {
          const read = opened.result
            .transaction("firebaseLocalStorage")
            .objectStore("firebaseLocalStorage")
            .get("firebase:authUser:any:[DEFAULT]");
          read.onsuccess = () => {
            const row = read.result as { value?: { createdAt?: string } } | undefined;
            opened.result.close();
            done(row?.value?.createdAt !== undefined);
          };
        };
      }),
  );
  await expect.poll(() => documents.at(-1)!.has(ann.id)).toBe(true);
  await page.evaluate(
    (value) =>
      new Promise<void>((done) => {
        const opened = indexedDB.open("firebaseLocalStorageDb");
        opened.onsuccess = () => {
          const put = opened.result
            .transaction("firebaseLocalStorage", "readwrite")
            .objectStore("firebaseLocalStorage")
            .put({ fbase_key: "firebase:authUser:any:[DEFAULT]", value });
          put.onsuccess = () => (opened.result.close(), done());
        };
      }),
    authOf(ben, "[DEFAULT]"),
  );
  await shows(page, ben);
  expect(documents.map((of) => [...of]).filter((of) => of.length > 0)).toEqual([
    [ann.id],
    [ben.id],
  ]);
});

test("an account that is added twice is there once, and another one is signed out from the settings", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const page = await two(browser, [ann, ben]);
  const documents = tokens(page);
  await page.evaluate(
    ([ann, ben]) => {
      for (const uid of [ann, ben]) localStorage.setItem(`hibana.draft.${uid}.new`, "{}");
    },
    [ann.id, ben.id],
  );
  // Messages that no longer send themselves, because the API refused them.
  await kept(page, ann.id);
  const outboxes = (put: string[]) =>
    page.evaluate(
      (put) =>
        new Promise<string[]>((done) => {
          const opened = indexedDB.open("hibana");
          opened.onsuccess = () => {
            const of = opened.result.transaction("kept", "readwrite").objectStore("kept");
            for (const uid of put)
              of.put([{ key: uid, conversationId: "x", text: "", failure: {} }], `outbox ${uid}`);
            const all = of.getAllKeys();
            all.onsuccess = () => (
              opened.result.close(),
              done(all.result.map(String).filter((key) => key.startsWith("outbox ")))
            );
          };
        }),
      put,
    );
  expect(await outboxes([ann.id, ben.id])).toHaveLength(2);
  await choose(page, "Add an account");
  // The page of the other app takes its time: this one hears of the end of its own session before.
  await page.getByLabel("E-mail").waitFor();
  await page.evaluate(() => history.replaceState(null, "", "/"));
  await page.route(
    (url) => url.pathname === "/",
    (route) => setTimeout(() => void route.fallback(), 1000),
    { times: 1 },
  );
  await signIn(page, ben);
  await expect.poll(() => documents.length).toBe(3); // the door, and then Ben's home
  await shows(page, ben);
  // No session has ended: nothing says so when the door comes again.
  expect(await page.evaluate(() => sessionStorage.getItem("hibana.return"))).toBeNull();
  await choose(page, "Add an account");
  await expect(page.getByRole("heading", { name: "Add an account" })).toBeInViewport();
  await expect(page.getByText("You are signed out")).toHaveCount(0);
  await page.goBack();
  await page.goto("/");
  await shows(page, ben);
  const apps = () =>
    page.evaluate(() =>
      (JSON.parse(localStorage.getItem("hibana.accounts")!) as { app: string }[])
        .map(({ app }) => app)
        .sort(),
    );
  expect(await apps()).toEqual(["[DEFAULT]", "hibana-2"]);
  expect((await keeps(page)).local).toContain(`hibana.draft.${ben.id}.new`);
  await page.goto("/settings");
  // A sign-out whose scripts do not come says so, and changes nothing.
  await page.route("**/assets/leave-*.js", (route) => route.abort());
  await page.getByRole("button", { name: `Sign out of @${ann.name}` }).click();
  await expect(page.getByText("The network does not answer")).toBeInViewport();
  expect(await apps()).toEqual(["[DEFAULT]", "hibana-2"]);
  await page.unroute("**/assets/leave-*.js");
  await page.goto("/settings");
  await page.getByRole("button", { name: `Sign out of @${ann.name}` }).click();
  await expect.poll(() => documents.length).toBe(9); // Ann's home, which signs out, and Ben's
  await shows(page, ben);
  expect(await apps()).toEqual(["hibana-2"]);
  expect(await outboxes([])).toEqual([`outbox ${ben.id}`]);
  const { local } = await keeps(page);
  expect(local.filter((key) => key.includes(ann.id))).toEqual([]);
  expect(local).toContain(`hibana.draft.${ben.id}.new`);
  expect(documents.filter(({ size }) => size > 1)).toEqual([]);
});

test("a notification says for which account it is, and its click opens the page as that one", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const page = await two(browser, [ann, ben], {
    serviceWorkers: "allow",
  });
  const context = page.context();
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active!.state);
  // A browser of tests shows no notifications, and lets no worker open a window without a real click.
  const said = await worker.evaluate(async (recipientId) => {
    const here = self as unknown as EventTarget & { registration: ServiceWorkerRegistration };
    const shown: (NotificationOptions & { title: string })[] = [];
    here.registration.showNotification = async (title, options) =>
      void shown.push({ title, ...options });
    const tell = async (kind: string, more: object) => {
      let done: Promise<unknown> | undefined;
      const waitUntil = (promise: Promise<unknown>) => (done = promise);
      here.dispatchEvent(Object.assign(new Event(kind), { waitUntil, ...more }));
      await done?.catch(() => undefined);
    };
    const message = { id: "like_1", slot: "like:1", nickname: "Carol", excerpt: "Fire" };
    await tell("push", { data: { json: () => ({ ...message, recipientId }) } });
    // Nobody else is told a word of what an account that left is still sent.
    await tell("push", { data: { json: () => ({ ...message, recipientId: "left" }) } });
    const notification = { ...shown[0], close: () => undefined };
    await tell("notificationclick", { notification });
    return shown.map(({ title, body, tag }) => ({ title, body, tag }));
  }, ben.id);
  expect(said).toEqual([
    { title: "✦ Carol", body: `@${ben.name}\nFire`, tag: `${ben.id} like_1` },
    { title: "Hibana", body: undefined, tag: "gone" },
  ]);
  const opened = await context.newPage();
  await opened.goto("/notifications");
  await shows(opened, ben);
  const later = await context.newPage();
  await later.goto("/notifications");
  await shows(later, ben); // the one that was used last
});

test("on a phone, in Japanese: the accounts in the profile and the settings, five at most; a visitor sees both ways in", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const page = await open(browser, ann, "/", { ...phone, locale: "ja-JP" });
  await also(page.context(), ben);
  await page.evaluate(() => {
    const all = JSON.parse(localStorage.getItem("hibana.accounts")!) as { app: string }[];
    for (const n of [3, 4, 5])
      all.push({
        ...all[1]!,
        ...{
          uid: `gone${n}`,
          username: `gone${n}`,
          nickname: "とても長い名前のアカウント",
          ended: true,
        },
        app: `hibana-${n}`,
      });
    localStorage.setItem("hibana.accounts", JSON.stringify(all));
  });
  await page.goto(`/@${ann.name}`);
  await page.getByRole("button", { name: "アカウント", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: new RegExp(`@${ben.name}`) })).toBeInViewport();
  await expect(page.getByText("5 個までです")).toBeInViewport();
  await page.keyboard.press("Escape");
  await page.goto("/settings");
  await expect(page.getByRole("button", { name: "ログアウト", exact: true })).toBeInViewport();
  await check(page, "accounts-settings-ja");
  await page.getByRole("listitem").getByRole("button", { name: ben.name }).first().click();
  await expect(
    page.getByRole("button", { name: new RegExp(`^アカウント .*@${ben.name}$`) }),
  ).toBeInViewport();

  for (const options of [phone, {}, { viewport: { width: 700, height: 740 } }]) {
    const visitor = await fresh(browser, options);
    await visitor.goto("/explore");
    await expect(
      visitor.getByRole("link", { name: "Sign in" }).filter({ visible: true }),
    ).toBeInViewport();
    await expect(
      visitor
        .getByRole("link", { name: "Sign up" })
        .or(visitor.getByRole("button", { name: "Sign up" }))
        .filter({ visible: true }),
    ).toBeInViewport();
    await expect(visitor.getByRole("heading", { name: "Explore" })).toBeAttached();
    if (options === phone) await check(visitor, "visitor-phone");
  }
  // Whoever has to sign in comes back.
  const visitor = await fresh(browser, phone);
  await visitor.goto("/bookmarks");
  await signIn(visitor, ann);
  await expect(visitor).toHaveURL("/bookmarks");
});
