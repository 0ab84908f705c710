import { expect } from "@playwright/test";
import {
  atHome,
  call,
  follows,
  kept,
  keptAt,
  open,
  person,
  post,
  signedIn,
  test,
  tweetsOf,
  write,
} from "./people";

test(
  "offline: says so, shows what it has, and takes back what did not happen",
  { tag: ["@short", "@firefox"] },
  async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    await follows(ann, ben);
    const tweet = await post(ben, "Kept for the tunnel");
    await atHome(ann, tweet);
    const page = await open(browser, ann);
    await expect(page.getByText("Kept for the tunnel")).toBeVisible();
    await expect(page.getByRole("region", { name: /^Notifications alt/ })).toBeAttached(); // where messages are shown
    await expect(page.locator("aside")).toBeAttached();
    await page.context().setOffline(true);
    await expect(page.getByText("You are offline.", { exact: false })).toBeVisible();
    await page.getByRole("button", { name: /^Like, / }).click();
    await expect(page.getByText("The network does not answer.")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Like, 0 likes/ })).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByText("You are offline.", { exact: false })).toBeHidden();
    await page.getByRole("button", { name: /^Like, / }).click();
    await expect(page.getByRole("button", { name: /^Unlike, 1 like$/ })).toBeVisible();
  },
);

test(
  "offline with the service worker: the page opens, with what was read",
  { tag: "@firefox" },
  async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    await follows(ann, ben);
    const tweet = await post(ben, "Read before the tunnel");
    await atHome(ann, tweet);
    const page = await open(browser, ann, "/", { serviceWorkers: "allow" });
    await expect(page.getByText("Read before the tunnel")).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await kept(page, "Read before the tunnel");
    await page.reload(); // under the worker
    await expect(page.getByText("Read before the tunnel")).toBeVisible();
    await page.context().setOffline(true);
    await page.reload();
    await expect(page.getByText("Read before the tunnel")).toBeVisible();
    await expect(page.getByText("You are offline.", { exact: false })).toBeVisible();
  },
);

test("an API that answers 500, 429 or 503: a sentence, and a way on", async ({ browser }) => {
  const page = await open(browser, await person("Ann"));
  for (const [status, code, sentence] of [
    [500, "internal", "Something went wrong on our side. Try again."],
    [429, "limit_reached", "You have reached today's limit for this. Try again later."],
    [503, "unavailable", "The service cannot be reached just now. Try again."],
  ] as const) {
    const refuse = {
      status,
      contentType: "application/problem+json",
      headers: { "Retry-After": "600" },
      body: JSON.stringify({ status, code, title: "", detail: "the detail", type: "about:blank" }),
    };
    for (const path of ["**/v1/tags*", "**/v1/tweets?*"])
      await page.route(path, (route) => route.fulfill(refuse));
    await page.goto("/explore");
    await expect(page.getByRole("alert")).toContainText(sentence);
    await page.getByRole("button", { name: "Tags", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText(sentence);
    await page.getByRole("button", { name: "Latest", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText(sentence);
    await page.unroute("**/v1/tweets?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("alert")).toBeHidden();
  }
});

test("a page that the browser kept stays while it cannot be read again, and says so", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const tweet = await post(ben, "Kept for the outage");
  await atHome(ann, tweet);
  const page = await open(browser, ann);
  await expect(page.getByText("Kept for the outage")).toBeVisible();
  await kept(page, "Kept for the outage");
  const problem = {
    status: 503,
    code: "unavailable",
    title: "",
    detail: "the detail",
    type: "about:blank",
  };
  const path = "**/v1/timeline?*";
  await page.route(path, (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/problem+json",
      headers: { "Retry-After": "600" },
      body: JSON.stringify(problem),
    }),
  );
  const before = await keptAt(page);
  await page.reload();
  await expect(page.getByRole("alert")).toContainText(
    "The service cannot be reached just now. Try again.",
  );
  await expect(page.getByText("Kept for the outage")).toBeVisible();
  // What could be read is kept anew, and what could not stays as it was.
  await expect.poll(() => keptAt(page)).toBeGreaterThan(before);
  await kept(page, "Kept for the outage");
  await page.unroute(path);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("alert")).toBeHidden();
  await expect(page.getByText("Kept for the outage")).toBeVisible();
});

test("what the browser kept leaves the page, and the browser, when the API shows it no more", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const tweet = await post(ben, "Kept and then deleted");
  const page = await open(browser, ann, `/tweets/${tweet.id}`);
  await expect(page.getByText("Kept and then deleted")).toBeVisible();
  await kept(page, "Kept and then deleted");
  await call(ben, "DELETE", `/v1/tweets/${tweet.id}`);
  await page.reload();
  await expect(page.getByText("This tweet was deleted.")).toBeVisible();
  await expect(page.getByText("Kept and then deleted")).toBeHidden();
  await kept(page, "Kept and then deleted", false);
});

test("a part that cannot be loaded comes when the network does, and the page stands without it", async ({
  browser,
}) => {
  const page = await signedIn(browser, await person("Ann"));
  let refused = 0;
  await page.route("**/assets/Aside-*.js", (route) => (refused++, route.abort()));
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect.poll(() => refused).toBeGreaterThan(0);
  await write(page);
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.locator("aside")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.unroute("**/assets/Aside-*.js");
  await page.context().setOffline(true);
  await expect(page.getByText("You are offline.", { exact: false })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.locator("aside")).toBeAttached();
});

test("an API that answers nothing: what is written is kept over a reload, and posted once", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  // The API does it, and the answer is lost.
  let sent = 0;
  await page.route("**/v1/tweets", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    sent++;
    await route.fetch();
    await route.abort("connectionreset");
  });
  await write(page);
  await page.getByRole("dialog").getByRole("textbox").fill("Written once");
  await page.getByRole("button", { name: "Post", exact: true }).last().click();
  await expect(page.getByRole("alert")).toHaveText("The network does not answer.");
  expect(sent).toBeGreaterThan(0);
  await page.unroute("**/v1/tweets");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await write(page);
  await expect(page.getByRole("dialog").getByRole("textbox")).toHaveValue("Written once");
  await page.getByRole("button", { name: "Post", exact: true }).last().click();
  await expect(page.getByText("Posted", { exact: true })).toBeVisible();
  await tweetsOf(ann);
  await page.goto(`/users/${ann.id}`);
  await expect(page.getByRole("article")).toHaveCount(1);
});

test("signing out leaves nothing readable", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const tweet = await post(ben, "Only for those who are signed in");
  await atHome(ann, tweet);
  const page = await open(browser, ann, "/", { serviceWorkers: "allow" });
  await expect(page.getByText("Only for those who are signed in")).toBeVisible();
  await write(page);
  await page.getByRole("dialog").getByRole("textbox").fill("A secret draft");
  await page.keyboard.press("Escape");
  await kept(page, "Only for those who are signed in");
  await page.goto("/settings");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  const left = await page.evaluate(async () => {
    const texts: string[] = [
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      document.body.innerText,
    ];
    for (const { name } of await indexedDB.databases()) {
      await new Promise<void>((done) => {
        const opened = indexedDB.open(name!);
        opened.onsuccess = () => {
          const stores = [...opened.result.objectStoreNames];
          let open = stores.length;
          if (open === 0) done();
          for (const store of stores) {
            const all = opened.result.transaction(store).objectStore(store).getAll();
            all.onsuccess = () => {
              texts.push(JSON.stringify(all.result));
              if (--open === 0) done();
            };
          }
        };
      });
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) texts.push(request.url);
    }
    return texts.join("\n");
  });
  expect(left).not.toContain("Only for those");
  expect(left).not.toContain("A secret draft");
  expect(left).not.toContain(ann.email);
  expect(left).not.toContain("/v1/");
  await page.goto("/notifications");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});
