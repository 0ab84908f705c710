import { expect, type Page } from "@playwright/test";
import {
  administrator,
  atHome,
  call,
  follows,
  person,
  post,
  signedIn,
  test,
  until,
} from "./people";

// Cumulative layout shift: half of what web.dev/articles/cls calls good.
const still = 0.05;

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Notes how far things move by themselves, and what. */
const watch = (page: Page) =>
  page.addInitScript(() => {
    const moved = { sum: 0, what: [] as string[], at: 0 };
    (window as unknown as { moved: typeof moved }).moved = moved;
    new PerformanceObserver((list) => {
      for (const one of list.getEntries() as Shift[]) {
        if (one.hadRecentInput) continue;
        moved.sum += one.value;
        moved.what.push(
          `${one.value.toFixed(3)} at ${Math.round(one.startTime)} ms: ` +
            one.sources
              .map(({ node, previousRect: a, currentRect: b }) => {
                const of = node instanceof Element ? node : node?.parentElement;
                return `${of?.tagName.toLowerCase()}.${of?.className} ${Math.round(a.y)}+${Math.round(a.height)} to ${Math.round(b.y)}+${Math.round(b.height)}`;
              })
              .join("; "),
        );
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** Opens an address, waits until nothing is on its way any more, and tells what moved. */
async function moved(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 }).first(), path).toBeAttached();
  await expect(page.locator(".skeleton"), path).toHaveCount(0);
  await page.waitForTimeout(800); // for what comes late
  return page.evaluate(
    () => (window as unknown as { moved: { sum: number; what: string[] } }).moved,
  );
}

/** Lets each page begin without what the browser kept, and know who reads later than it is drawn. */
async function late(page: Page) {
  await page.addInitScript(() => indexedDB.deleteDatabase("hibana"));
  await page.route(/\/v1\/users\/me(\?|$)/, async (route) => {
    await new Promise((done) => setTimeout(done, 500));
    await route.fallback();
  });
}

for (const [size, viewport] of [
  ["a phone", { width: 360, height: 740 }],
  ["a desktop", { width: 1280, height: 900 }],
] as const)
  test(`no page jumps while it loads, for the first time and again, on ${size}`, async ({
    browser,
  }) => {
    const [ann, ben, cyd, keeper] = [
      await person("Ann"),
      await person("Ben"),
      await person("Cyd"),
      await administrator(),
    ];
    await call(ann, "PATCH", "/v1/users/me", { locked: true });
    await follows(ann, ben);
    await follows(cyd, ann); // a request to follow, above the settings
    const tweet = await post(ben, "A lantern goes up #lantern");
    const poll = await post(ben, "Which one?", {
      poll: { options: ["Red", "Gold"], minutes: 60 },
    });
    const reply = await post(ann, "I see it", { replyTo: tweet.id });
    const quote = await post(ben, "As I said", { quoteOf: tweet.id });
    const own = await post(ann, `Mine is **better** @${ben.name}`);
    await call(ann, "PUT", `/v1/tweets/${tweet.id}/bookmark`);
    await call(ann, "POST", "/v1/drafts", { content: "Not yet" });
    const list = await call(ann, "POST", "/v1/lists", { title: "Friends of fire" });
    const product = await call(keeper, "POST", "/v1/products", {
      name: `Lantern ${size}`,
      price: { amount: 500, currency: "JPY" },
      stock: 3,
    });
    await atHome(ann, tweet, poll, reply, quote, own); // what comes between two visits would move the rest
    await until(async () => (await call(ann, "GET", "/v1/notifications")).items.length > 0);
    const page = await signedIn(browser, ann, { viewport });
    await page.route("**/v1/announcements*", (route) => route.fulfill({ json: { items: [] } }));
    // What other tests post meanwhile would come between the two visits.
    const answers = new Map<string, string>();
    await page.route(
      /\/v1\/(tweets|search\/\w+|tags|tags\/[^/?]+(\/\w+)?|trends|suggestions)(\?|$)/,
      async (route) => {
        const url = route.request().url();
        const body = answers.get(url) ?? (await (await route.fetch()).text());
        answers.set(url, body);
        await route.fulfill({ body, contentType: "application/json" });
      },
    );
    await watch(page);
    const jumps: string[] = [];
    for (const how of ["cold", "warm", "late"]) {
      if (how === "late") await late(page);
      for (const path of [
        "/",
        "/explore",
        "/explore?q=lantern",
        "/notifications",
        "/notifications/requests",
        "/messages",
        "/bookmarks",
        "/drafts",
        "/shop",
        `/shop/${product.id}`,
        "/cart",
        "/orders",
        `/users/${ann.id}`,
        `/users/${ben.id}`,
        `/users/${ben.id}/followers`,
        `/users/${ann.id}/lists`,
        `/users/${ann.id}/lists/${list.id}`,
        "/lists",
        "/people/find",
        "/tags/lantern",
        `/tweets/${tweet.id}`,
        `/tweets/${reply.id}`,
        `/tweets/${poll.id}`,
        `/tweets/${tweet.id}/quotes`,
        "/settings",
        "/settings/account",
        "/settings/muted",
        "/settings/filters",
        "/settings/decisions",
        "/settings/announcements",
        "/held",
        "/about",
      ]) {
        const { sum, what } = await moved(page, path);
        console.log(`${size}, ${how}, ${path}: ${sum.toFixed(3)}`);
        if (sum > still) jumps.push(`${how} ${path}: ${sum.toFixed(3)}\n  ${what.join("\n  ")}`);
      }
    }
    expect(jumps.join("\n"), "pages that jump").toBe("");
  });

test("home does not jump on the first visit of a phone by what stands above it, and does not wait long for that", async ({
  browser,
}) => {
  const [ann, ben, keeper] = [await person("Ann"), await person("Ben"), await administrator()];
  await follows(ann, ben);
  const tweets = [];
  for (let n = 0; n < 4; n++) tweets.push(await post(ben, `Lantern ${n} goes up over the river`));
  await atHome(ann, ...tweets);
  await call(ann, "PATCH", "/v1/users/me/markers", { home: { lastReadId: tweets[0]!.id } });
  const title = `Fireworks over the river ${keeper.name}`;
  const told = `/v1/admin/announcements/${crypto.randomUUID()}`;
  await call(keeper, "PUT", told, { title });
  try {
    await until(async () =>
      (await call(ann, "GET", "/v1/announcements")).items.some(
        (one: { title: string }) => one.title === title,
      ),
    );
    const viewport = { width: 360, height: 740 };
    const page = await signedIn(browser, ann, { viewport });
    await watch(page);
    const { sum, what } = await moved(page, "/");
    await expect(page.getByText(title)).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Continue where you were" })).toBeInViewport();
    await expect(page.getByText("Lantern 3")).toBeInViewport();
    expect(sum, what.join("\n")).toBeLessThanOrEqual(still);
    const other = await signedIn(browser, ann, { viewport });
    await other.route("**/v1/announcements*", () => undefined); // never answered
    await other.goto("/");
    await expect(other.getByText("Lantern 3")).toBeInViewport();
  } finally {
    await call(keeper, "DELETE", told);
  }
});
