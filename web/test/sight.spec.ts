import { expect, type Locator, type Page } from "@playwright/test";
import {
  atHome,
  call,
  follows,
  inBrowser,
  open,
  person,
  post,
  signedIn,
  test,
  until,
  type Person,
} from "./people";

// These tests look at what somebody sees: at boxes within the window, not at what exists somewhere
// on the page.

/**
 * Expects all of a box to be within the window, below the bar at its top if there is one above it.
 */
async function expectSeen(page: Page, what: Locator, from = 0) {
  await expect(async () => {
    const box = (await what.boundingBox())!;
    const { width, height } = page.viewportSize()!;
    expect(box.x, "left").toBeGreaterThanOrEqual(-1);
    expect(box.x + box.width, "right").toBeLessThanOrEqual(width + 1);
    expect(box.y, "top").toBeGreaterThanOrEqual(from - 1);
    expect(Math.min(box.y + box.height, box.y + 60), "bottom").toBeLessThanOrEqual(height + 1);
  }).toPass({ timeout: 20_000 });
}

const bar = (page: Page) =>
  page.locator(".top").evaluate((top) => top.getBoundingClientRect().bottom);

for (const [how, viewport, reducedMotion] of [
  ["on a desktop", { width: 1280, height: 900 }, "no-preference"],
  ["on a phone", { width: 360, height: 740 }, "no-preference"],
  ["on a desktop with reduced motion", { width: 1280, height: 900 }, "reduce"],
] as const) {
  test(`the pill leads to the new tweet, ${how}`, async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    await follows(ann, ben);
    const many: { id: string }[] = [];
    for (let n = 0; n < 40; n++)
      many.push(
        await post(
          ben,
          `Number ${n} of many. ${"More words make it higher than a row is thought to be. ".repeat(n % 6)}`,
        ),
      );
    await atHome(ann, ...many);
    const page = await open(browser, ann, "/", { viewport, reducedMotion });
    await expect(page.getByText("Number 39 of many")).toBeVisible();
    for (const [n, far] of [1500, 4000].entries()) {
      await expect(async () => {
        await page.mouse.wheel(0, far / 3);
        expect(await page.evaluate(() => scrollY)).toBeGreaterThan(far);
      }).toPass();
      await post(ben, `The newest of all, ${n}. ${"It is long. ".repeat(30)}`);
      await page.getByRole("button", { name: "1 new tweet" }).click();
      const tweet = page.getByRole("article").filter({ hasText: `The newest of all, ${n}.` });
      await expect(tweet).toBeInViewport();
      await expectSeen(page, tweet, await bar(page));
      await page.waitForTimeout(1000); // for a correction that comes late
      await expectSeen(page, tweet, await bar(page));
    }
  });
}

/** Posts a chain of replies, each to the one before. */
async function chain(
  who: Person[],
  levels: number,
  text = (n: number) => `Level ${n} of the thread`,
): Promise<{ id: string }[]> {
  const tweets: { id: string }[] = [await post(who[0]!, text(0))];
  for (let n = 1; n < levels; n++) {
    const before = tweets[n - 1]!;
    tweets.push(await post(who[n % who.length]!, text(n), { replyTo: before.id }));
  }
  return tweets;
}

test("a thread of 15 levels stays within the window, at every width and at 200 %", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const tweets = await chain(
    [ann, ben],
    15,
    (n) =>
      `Level ${n} of the thread, donaudampfschifffahrtsgesellschaftskapitaen https://example.com/a/very/long/address/that/does/not/end/${n}`,
  );
  for (const tweet of tweets)
    await call(ben, "PUT", `/v1/tweets/${tweet.id}/like`).catch(() => undefined);
  await until(async () => (await call(ann, "GET", `/v1/tweets/${tweets[0]!.id}`)).likeCount === 1);
  const page = await open(browser, ann, `/tweets/${tweets[0]!.id}`);
  for (const at of [tweets[0]!, tweets[14]!]) {
    await page.goto(`/tweets/${at.id}`);
    await expect(
      page.getByText(`Level ${at === tweets[0] ? 1 : 14} of the thread`).first(),
    ).toBeVisible();
    const more = page.getByRole("button", { name: "Show more replies" });
    for (let n = 0; n < 4 && (await more.count()) > 0; n++) {
      await more.first().click();
      await page.waitForTimeout(500);
    }
    // 640 by 450 is a desktop of 1280 by 900 at 200 %.
    for (const [width, height] of [
      [320, 640],
      [360, 740],
      [390, 844],
      [412, 915],
      [640, 450],
      [740, 360],
      [1280, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      const off = await page.evaluate(() => ({
        wider: Math.max(0, document.documentElement.scrollWidth - innerWidth),
        outside: [
          ...document.querySelectorAll<HTMLElement>(
            "main article, main article button, main article a, main article .prose",
          ),
        ]
          .filter(
            (one) =>
              one.getBoundingClientRect().right > innerWidth + 1 ||
              one.getBoundingClientRect().left < -1,
          )
          .map(
            (one) =>
              `${one.closest("article")?.textContent?.slice(0, 40)}: ${one.getAttribute("aria-label") ?? one.className}`,
          ),
        narrow: [...document.querySelectorAll<HTMLElement>("main article .prose")].filter(
          (one) => one.getBoundingClientRect().width < 150,
        ).length,
      }));
      expect(off, `${width} by ${height}`).toEqual({ wider: 0, outside: [], narrow: 0 });
      await page.screenshot({
        path: `screenshots/thread-${at === tweets[0] ? "root" : "deep"}-${width}.png`,
        animations: "disabled",
      });
    }
  }
});

for (const [how, viewport] of [
  ["a desktop", { width: 1280, height: 900 }],
  ["a phone", { width: 360, height: 740 }],
] as const) {
  test(`the address of a reply shows that reply, on ${how}, and it stays there while what is above it comes late`, async ({
    browser,
  }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    const tweets = await chain([ann, ben], 15, (n) =>
      n === 3 || n === 9
        ? `Level ${n} of the thread ![a firework](https://pictures.example/${n}.png)`
        : `Level ${n} of the thread`,
    );
    const page = await open(browser, ann, "/explore", { viewport });
    let let_go = () => {};
    const late = new Promise<void>((resolve) => (let_go = resolve));
    await page.route("https://pictures.example/**", async (route) => {
      await late;
      await route.fulfill({
        contentType: "image/svg+xml",
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="gold"/></svg>',
      });
    });
    // The reader asks for the pictures, which their host sends late, and goes on to the reply.
    await page.goto(`/tweets/${tweets[9]!.id}`);
    const foreign = page.getByRole("button", { name: /^Load the picture/ });
    for (const left of [1, 0]) {
      await foreign.last().click();
      await expect(foreign).toHaveCount(left);
    }
    const asked = page.getByRole("article").filter({ hasText: "Level 14 of the thread" });
    await page.evaluate((path) => history.pushState(null, "", path), `/tweets/${tweets[14]!.id}`);
    await expectSeen(page, asked, await bar(page));
    await expect(asked).toBeFocused();
    const height = () =>
      page.evaluate(() => document.querySelector<HTMLElement>(".big")!.offsetTop);
    const before = await height();
    let_go();
    await expect.poll(height).toBeGreaterThan(before + 100);
    await expectSeen(page, asked, await bar(page));
    expect((await asked.boundingBox())!.y).toBeLessThan(120); // right below the bar
    // From there it goes on: the one before leads to itself, and somebody who scrolls is left
    // alone.
    await page.getByText("Level 13 of the thread").click();
    await expectSeen(
      page,
      page.getByRole("article").filter({ hasText: "Level 13 of the thread" }),
      await bar(page),
    );
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500); // what is above it is there
    await page.mouse.move(180, 400);
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(500);
    await expect(page.getByText("Level 11 of the thread")).toBeInViewport();
    // The page of the root begins at its top.
    await page.goto(`/tweets/${tweets[0]!.id}`);
    await expect(page.getByText("Level 2 of the thread")).toBeVisible();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
}

for (const [width, height] of [
  [640, 450],
  [740, 360],
  [820, 360],
  [1280, 400],
] as const) {
  test(`in a window of ${width} by ${height} one can write, and reach every page`, async ({
    browser,
  }) => {
    const page = await open(browser, await person("Ann"), "/", { viewport: { width, height } });
    await expectSeen(page, page.getByRole("button", { name: "Post", exact: true }));
    const links = page.getByRole("banner").getByRole("link");
    for (const name of ["Home", "Drafts", "Settings"]) {
      const link = page.getByRole("banner").getByRole("link", { name });
      await link.hover(); // scrolls to it, if that is possible
      await expectSeen(page, link);
    }
    expect(await links.count()).toBeGreaterThan(6);
    await page.screenshot({ path: `screenshots/low-${width}.png` });
    await page.getByRole("banner").getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { name: "Settings" })).toBeInViewport();
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await expect(page.getByRole("textbox", { name: "New tweet" })).toBeInViewport();
  });
}

test("what stands beside the page is asked for where it is shown alone, and once a minute", async ({
  browser,
}) => {
  const ann = await person("Ann");
  await post(ann, "Something #beside the page");
  const page = await signedIn(browser, ann, { viewport: { width: 900, height: 900 } });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/v1/trends" || pathname === "/v1/tags") asked.push(pathname + search);
  });
  const quiet = async (path: string) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForTimeout(2000); // for what comes after the page
  };
  await quiet("/");
  await quiet("/bookmarks");
  expect(asked, "where nobody sees it").toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByRole("complementary")).toBeInViewport();
  await expect(page.getByRole("complementary").locator(".taglist a").first()).toBeInViewport();
  const once = asked.length; // the tags of all times, only where there are none of the hour
  expect([
    ["/v1/trends?only=tags"],
    ["/v1/trends?only=tags", "/v1/tags?pageSize=8"],
  ]).toContainEqual(asked);
  await until(async () => JSON.stringify(await inBrowser(page)).includes("trendingTags"));
  await quiet("/bookmarks");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await quiet("/");
  expect(asked, "within a minute").toHaveLength(once);
});

test("a reply at home says whom and what it answers, without a request of its own, and not what is hidden or gone", async ({
  browser,
}) => {
  const [ann, ben, cyd] = [await person("Ann"), await person("Ben"), await person("Cyd")];
  await follows(ann, ben);
  const [seen, gone, arabic] = [
    await post(cyd, "What **somebody** asked"),
    await post(cyd, "Soon deleted"),
    await post(
      cyd,
      "مرحبا بكم في هذه الشبكة الاجتماعية الصغيرة التي لا تخفي شيئا ولا تعد شيئا مرتين",
    ),
  ];
  const replies = [
    await post(ben, "An answer to it", { replyTo: seen.id }),
    await post(ben, "An answer to nothing", { replyTo: gone.id }),
    await post(ben, "An answer in Arabic", { replyTo: arabic.id }),
  ];
  await call(cyd, "DELETE", `/v1/tweets/${gone.id}`);
  await atHome(ann, ...replies);
  const page = await signedIn(browser, ann, { viewport: { width: 360, height: 740 } });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/");
  const lead = (text: string) =>
    page.getByRole("article").filter({ hasText: text }).locator(".lead").getByRole("link");
  await expect(lead("An answer to it")).toHaveText(`Replying to @${cyd.name}What somebody asked`);
  await expectSeen(page, lead("An answer to it"));
  await expectSeen(page, lead("An answer in Arabic"));
  await expect(lead("An answer to nothing")).toHaveText("Replying to a tweet");
  await page.screenshot({ path: "screenshots/replying-phone.png" });
  expect(asked.filter((path) => path.startsWith("/v1/tweets/"))).toEqual([]);
  await page.evaluate(() => localStorage.setItem("hibana.language", "ja"));
  await page.reload();
  await expect(lead("An answer to it")).toContainText(`返信先: @${cyd.name}`);
  await page.screenshot({ path: "screenshots/replying-japanese.png" });
  await lead("An answer to it").click();
  await expect(page).toHaveURL(new RegExp(`/${seen.id}$`));
});

/** Returns where parts of a text stand within an element, in the order of the parts. */
const places = (what: Locator, ...parts: string[]) =>
  what.evaluate(
    (element, parts) =>
      parts.map((part) => {
        const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
          const at = node.textContent!.indexOf(part);
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + part.length);
          const { left, right } = range.getBoundingClientRect();
          return { left, right };
        }
        throw new Error(`${part} is not in ${element.textContent}`);
      }),
    parts,
  );

/**
 * Expects a text to begin at the right edge of its element, and to go on to the left: what comes
 * first stands right of what comes last.
 */
async function expectFromRight(what: Locator, first: string, last: string) {
  const [begin, end] = await places(what, first, last);
  const box = (await what.boundingBox())!;
  expect(Math.abs(box.x + box.width - begin!.right), `${first} at the right edge`).toBeLessThan(20);
  expect(end!.right, `${last} left of ${first}`).toBeLessThanOrEqual(begin!.left + 1);
}

test("Arabic goes from the right beside English from the left, in tweets, lists, quotes, names, polls, notifications and what is being written", async ({
  browser,
}) => {
  const [ann, sara] = [await person("Ann"), await person("Sara")];
  await call(sara, "PATCH", "/v1/users/me", { nickname: "سارة بنت محمد بن عبد الرحمن الهاشمي" });
  await follows(ann, sara);
  const mine = await post(ann, "مرحبا بكم جميعا.");
  await call(sara, "PUT", `/v1/tweets/${mine.id}/like`);
  await post(sara, "نص مخفي", { summary: "تحذير (هام)." });
  const asked = await post(sara, "أي موعد أفضل؟", {
    poll: { options: ["السبت (مساء).", "Sunday"], minutes: 60 },
  });
  const tweet = await post(
    sara,
    `@${ann.name} أهلا (يا صديقتي).\n\nOne in English (for the others).\n\n* قهوة Canon.\n* Tea.\n\n> قال أحدهم.`,
  );
  const quote = await post(ann, "Quoting it", { quoteOf: asked.id });
  await call(ann, "POST", "/v1/drafts", { content: "مسودة (لاحقا)." });
  await atHome(ann, tweet, asked, quote);
  await until(async () =>
    (await call(ann, "GET", "/v1/notifications")).items.some((one: { slot: string }) =>
      one.slot.startsWith("like:"),
    ),
  );
  const page = await open(browser, ann, "/explore");
  for (const [width, height] of [
    [360, 740],
    [1280, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`/tweets/${tweet.id}`);
    const prose = page.locator(".big .prose");
    const [hello, english] = [prose.locator("p").nth(0), prose.locator("p").nth(1)];
    await expect(hello).toBeVisible();
    await expectFromRight(hello, `@${ann.name}`, ".");
    const [one, end] = await places(english, "One", ").");
    expect(Math.abs((await english.boundingBox())!.x - one!.left)).toBeLessThan(2);
    expect(end!.left).toBeGreaterThan(one!.right);
    // A list has its marks on the side of its first item, and an item in another language keeps its
    // own order.
    const list = (await prose.locator("ul").boundingBox())!;
    const [coffee, tea] = await places(prose.locator("ul"), "قهوة", "Tea.");
    for (const item of [coffee!, tea!]) {
      expect(list.x + list.width - item.right).toBeGreaterThan(10);
      expect(list.x + list.width - item.right).toBeLessThan(40);
    }
    expect(
      await prose
        .locator("blockquote")
        .evaluate((quote) => [
          getComputedStyle(quote).borderRightWidth,
          getComputedStyle(quote).borderLeftWidth,
        ]),
    ).toEqual(["3px", "0px"]);
    // A name that is too long loses its end, and stands beside its picture.
    const name = page.locator(".big .names strong");
    if (width === 360) {
      const [first] = await places(name, "سارة");
      const box = (await name.boundingBox())!;
      expect(first!.left).toBeGreaterThanOrEqual(box.x);
      expect(first!.right).toBeLessThanOrEqual(box.x + box.width + 1);
    }
    const heading = page.locator(".top h1");
    await page.goto(`/users/${sara.id}`);
    await expect(heading).toContainText("سارة");
    const [first] = await places(heading, "سارة");
    expect(first!.right).toBeLessThanOrEqual(
      (await heading.boundingBox())!.x + (await heading.boundingBox())!.width + 1,
    );

    await page.goto("/explore");
    const by = (who: Person, text: string) =>
      page
        .getByRole("article")
        .filter({ hasText: `@${who.name}` })
        .filter({ hasText: text });
    await expectFromRight(by(sara, "تحذير").locator(".warning span"), "تحذير", ".");
    await expectFromRight(by(sara, "Sunday").locator(".option button").first(), "السبت", ".");
    await expectFromRight(by(ann, "Quoting it").locator(".quoted .typed"), "أي", "؟");
    await page.goto("/notifications");
    await expectFromRight(
      page.locator(".told .excerpt").filter({ hasText: "مرحبا" }),
      "مرحبا",
      ".",
    );
    await page.goto("/drafts");
    await expectFromRight(page.locator(".told p").first(), "مسودة", ".");
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
  }
  await page.goto("/explore");
  await page.getByRole("banner").getByRole("button", { name: "Post", exact: true }).click();
  const area = page.getByRole("textbox", { name: "New tweet" });
  await area.fill("نص (قوس).\nEnglish.");
  expect(await area.evaluate((field) => getComputedStyle(field).unicodeBidi)).toBe("plaintext"); // no range measures what stands in a field
  await page.getByRole("button", { name: "Preview" }).click();
  await expectFromRight(page.getByRole("dialog").locator(".prose p").first(), "نص", ").");
});

test("a notification keeps its time on one line, and in Japanese it speaks of people politely, however many", async ({
  browser,
}) => {
  const [ann, ben, cyd] = [await person("Ann"), await person("Ben"), await person("Cyd")];
  const [one, two] = [await post(ann, "Liked by one"), await post(ann, "Liked by two")];
  for (const [who, what] of [
    [ben, one],
    [ben, two],
    [cyd, two],
  ] as const)
    await call(who, "PUT", `/v1/tweets/${what.id}/like`);
  await until(
    async () =>
      (await call(ann, "GET", "/v1/notifications")).items.reduce(
        (sum: number, all: { countUsers: number }) => sum + all.countUsers,
        0,
      ) === 3,
  );
  const page = await open(browser, ann, "/notifications", {
    viewport: { width: 360, height: 740 },
  });
  const told = (text: string) => page.locator(".told").filter({ hasText: text });
  await expect(told("Liked by one")).toContainText("Ben liked your tweet");
  for (let width = 320; width < 420; width += 4) {
    await page.setViewportSize({ width, height: 740 });
    expect(
      await page
        .locator(".told time")
        .evaluateAll((times) => times.map((time) => time.getClientRects().length)),
      `${width}`,
    ).toEqual([1, 1]);
  }
  await page.evaluate(() => localStorage.setItem("hibana.language", "ja"));
  await page.reload();
  await expect(told("Liked by one")).toContainText("Benさんがツイートにいいねしました");
  await expect(told("Liked by two")).toContainText(
    /(Ben|Cyd)さんと他 1 人がツイートにいいねしました/,
  );
});

for (const [language, profile, settings] of [
  ["en-US", "Profile", "Settings"],
  ["ja-JP", "プロフィール", "設定"],
] as const) {
  test(`a phone has a way to Settings in the bar of one's own profile, in ${language}`, async ({
    browser,
  }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    const page = await open(browser, ann, "/", {
      viewport: { width: 360, height: 740 },
      locale: language,
    });
    await page.locator(".bottom").getByRole("link", { name: profile }).click();
    const way = page.getByRole("main").getByRole("link", { name: settings });
    await expectSeen(page, way);
    const box = (await way.boundingBox())!;
    expect(Math.min(box.width, box.height), "room for a finger").toBeGreaterThanOrEqual(40);
    await page.screenshot({ path: `screenshots/own-profile-phone-${language}.png` });
    await way.click();
    await expect(page.getByRole("heading", { level: 1, name: settings })).toBeInViewport();
    await page.goto(`/users/${ben.id}`);
    await expect(page.getByRole("heading", { level: 2, name: "Ben" })).toBeVisible();
    await expect(way).toHaveCount(0);
    // Where the rail is, it has the way already.
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`/users/${ann.id}`);
    await expectSeen(page, page.getByRole("banner").getByRole("link", { name: settings }));
    await expect(way).toBeHidden();
  });
}
