import { expect, type Page } from "@playwright/test";
import {
  atHome,
  call,
  follows,
  kept,
  open,
  person,
  post,
  signedIn,
  test,
  until,
  write,
} from "./people";

test(
  "what one writes, the other sees arrive without reloading",
  { tag: ["@short", "@firefox"] },
  async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    await follows(ann, ben);
    const [hers, his] = [await open(browser, ann), await open(browser, ben)];
    await write(his);
    await his
      .getByRole("textbox", { name: "New tweet" })
      .fill("Sparks fly over the river tonight #hibana");
    await his.getByRole("button", { name: "Post", exact: true }).last().click();
    await expect(his.getByText("Posted", { exact: true })).toBeVisible();
    await expect(hers.getByText("Sparks fly over the river tonight")).toBeVisible();

    // She answers with a spark; he is told, and the badge counts it.
    await hers
      .getByRole("button", { name: /^Like, / })
      .first()
      .click();
    await expect(hers.getByRole("button", { name: /Unlike, 1 like$/ })).toBeVisible();
    await expect(his.getByLabel("Unread: ", { exact: false }).first()).toBeVisible();
    await his
      .getByRole("link", { name: /^Notifications/ })
      .first()
      .click();
    await expect(his.getByRole("link", { name: /Ann liked your tweet/ })).toBeVisible();
  },
);

test("one's own tweets stand between those of others, also after a reload, and once", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await atHome(ann, await post(ben, "Ben was first"));
  const page = await open(browser, ann);
  await write(page);
  await page.getByRole("textbox", { name: "New tweet" }).fill("Ann was second");
  await page.getByRole("button", { name: "Post", exact: true }).last().click();
  const feed = page.getByRole("feed");
  await expect(feed.getByText("Ann was second")).toBeInViewport();
  await atHome(ann, await post(ben, "Ben was third"));
  await expect(feed.getByText("Ben was third")).toBeInViewport();
  for (const how of ["as it came", "after a reload"]) {
    if (how === "after a reload") await page.reload();
    await expect(feed.getByText("Ann was second"), how).toBeInViewport();
    await expect(feed.getByRole("article").filter({ hasText: "was" }), how).toHaveText([
      /Ben was third/,
      /Ann was second/,
      /Ben was first/,
    ]);
  }
});

test("new tweets wait for a reader who is further down, until the key .", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const many = [];
  for (let n = 0; n < 25; n++)
    many.push(await post(ben, `Number ${n} of many, and some more words so that it is not short.`));
  await atHome(ann, ...many);
  const page = await open(browser, ann);
  await expect(page.getByText("Number 24 of many")).toBeVisible();
  await page.evaluate(() => scrollTo(0, 1500));
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(800);
  await post(ben, "The newest of all");
  const pill = page.getByRole("button", { name: "1 new tweet" });
  await expect(pill).toBeVisible();
  const asked = timelineRequests(page);
  await page.keyboard.press(".");
  await expect(page.getByText("The newest of all")).toBeVisible();
  await expect(pill).toBeHidden();
  expect(asked).toEqual(["after"]); // and not the whole page
});

test("whoever looks again gets what came", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const first = await post(ben, "There from the beginning");
  await atHome(ann, first);
  const page = await signedIn(browser, ann);
  await page.route(
    (url) => url.origin === process.env.HIBANA_FIRESTORE,
    (route) => route.abort(),
  );
  await page.clock.install();
  await page.goto("/");
  await expect(page.getByText("There from the beginning")).toBeVisible();
  const asked = timelineRequests(page);
  const look = async (seconds: number) => {
    await page.clock.fastForward(seconds * 1000);
    await page.evaluate(() => dispatchEvent(new Event("focus")));
  };
  await atHome(ann, await post(ben, "Came while nobody looked"));
  await look(11);
  await expect(page.getByText("Came while nobody looked")).toBeVisible();
  await look(1); // somebody who goes to and fro does not ask each time; before anything slow, since the clock goes on
  await atHome(ann, await post(ben, "Came without a network"));
  await page.context().setOffline(true);
  await page.clock.fastForward(11_000);
  await page.context().setOffline(false);
  await expect(page.getByText("Came without a network")).toBeVisible();
  expect(new Set(asked)).toEqual(new Set(["after"]));

  // The page is left, and comes back; further down it says how many came.
  await page.goto("/explore");
  const more = [];
  for (let n = 0; n < 12; n++) more.push(await post(ben, `Fills the window, number ${n}`));
  await atHome(ann, ...more, await post(ben, "The last before the way down"));
  await page.goto("/");
  await expect(page.getByText("The last before the way down")).toBeVisible();
  await page.evaluate(() => scrollTo(0, 900));
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(400);
  await atHome(ann, await post(ben, "Came above"));
  asked.length = 0;
  await look(11);
  await page.getByRole("button", { name: "1 new tweet" }).click();
  await expect(page.getByText("Came above")).toBeVisible();
  expect(new Set(asked)).toEqual(new Set(["after"]));
});

test("where a kept page was shown first, only what comes after it was read again is news", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  await atHome(ann, await post(ben, "Kept from the last visit"));
  const page = await open(browser, ann);
  await kept(page, "Kept from the last visit");
  await page.goto("about:blank");
  const later = [];
  for (let n = 0; n < 25; n++) later.push(await post(ben, `Later, number ${n}`));
  await atHome(ann, ...later);
  const asked = timelineRequests(page);
  await page.goto("/");
  await expect(page.getByText("Later, number 24")).toBeVisible();
  await post(ben, "The only news");
  await expect(page.getByText("The only news")).toBeVisible();
  expect(asked).toEqual(["whole page", "after"]);
});

// How the page asks for the home timeline from now on.
function timelineRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === "/v1/timeline")
      asked.push(
        url.searchParams.get("after")
          ? "after"
          : url.searchParams.get("pageToken")
            ? "further down"
            : "whole page",
      );
  });
  return asked;
}

test(
  "a deleted tweet is on no page that is loaded later, and an undone deletion deletes nothing",
  { tag: "@short" },
  async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    await follows(ann, ben);
    const [stays, goes] = [await post(ben, "Here to stay"), await post(ben, "Here for a moment")];
    await atHome(ann, goes);
    const hers = await open(browser, ann);
    await expect(hers.getByText("Here for a moment")).toBeVisible();
    const his = await open(browser, ben, `/users/${ben.id}`);
    const remove = async (text: string) => {
      await his
        .getByRole("article")
        .filter({ hasText: text })
        .getByRole("button", { name: "More" })
        .click();
      await his.getByRole("menuitem", { name: "Delete" }).click();
    };
    await remove("Here to stay");
    await his.getByRole("button", { name: "Undo" }).click();
    await expect(his.getByRole("article").filter({ hasText: "Here to stay" })).toBeVisible();
    await remove("Here for a moment");
    await until(() =>
      call(ben, "GET", `/v1/tweets/${goes.id}`).then(
        () => false,
        (failure: Error) => failure.message.includes("410"),
      ),
    );
    await hers.reload();
    await expect(hers.getByText("Here to stay")).toBeVisible();
    await expect(hers.getByText("Here for a moment")).toBeHidden();
    // The other deletion was asked for before this one, and would have been done by now.
    expect((await call(ben, "GET", `/v1/tweets/${stays.id}`)).id).toBe(stays.id);
    await expect(hers.getByText("Here to stay")).toBeVisible();
  },
);

test(
  "a share travels to a follower's page, says who shared it, and is on no later page when it is taken back",
  { tag: "@short" },
  async ({ browser }) => {
    const [ann, ben, cyd] = [await person("Ann"), await person("Ben"), await person("Cyd")];
    await follows(ann, ben);
    const tweet = await post(cyd, "A tweet of somebody whom she does not follow");
    const hers = await open(browser, ann);
    await expect(hers.getByText("Nothing here yet")).toBeVisible();
    await call(ben, "PUT", `/v1/tweets/${tweet.id}/share`);
    await expect(hers.getByText("A tweet of somebody whom she does not follow")).toBeVisible();
    await expect(hers.getByText("Ben shared")).toBeVisible();
    await call(ben, "DELETE", `/v1/tweets/${tweet.id}/share`);
    await until(async () => (await call(ann, "GET", "/v1/timeline")).items.length === 0);
    await hers.reload();
    await expect(hers.getByText("A tweet of somebody whom she does not follow")).toBeHidden();
  },
);

test("how long a tweet takes to a follower's screen", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const first = await post(ben, "Warm up");
  await atHome(ann, first);
  const page = await open(browser, ann);
  await expect(page.getByText("Warm up")).toBeVisible();
  await post(ben, "The listener is there");
  await expect(page.getByText("The listener is there")).toBeVisible();
  const times: number[] = [];
  for (let n = 0; n < Number(process.env.HIBANA_ARRIVALS ?? 5); n++) {
    const text = `Arrival ${n} ${Math.random()}`;
    const seen = page.getByText(text).waitFor();
    const begun = performance.now();
    await post(ben, text);
    await seen;
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(part * times.length))]!);
  console.log(
    `from the request to the follower's screen, ${times.length} tweets: median ${at(0.5)} ms, p95 ${at(0.95)} ms`,
  );
});
