import { expect, type Locator, type Page } from "@playwright/test";
import { film, png, type File } from "./files";
import { check } from "./look";
import {
  call,
  follows,
  fresh,
  open,
  person,
  post,
  test,
  tweetsOf,
  until,
  type Person,
  write as openWindow,
} from "./people";

const gold = png("gold.png", [255, 194, 71]);
const rose = png("rose.png", [255, 90, 126], { width: 240, height: 320 });
const blue = png("blue.png", [124, 200, 255]);
const large = png("large.png", [0, 0, 0], { width: 900, height: 900, noise: true }); // 2.4 MB

const dialog = (page: Page) => page.getByRole("dialog");
const rows = (page: Page) => dialog(page).getByRole("list", { name: /^(Pictures|Video) of this/ });
const storage = (url: URL) => url.pathname.includes("-uploads");
const submit = (page: Page) =>
  dialog(page).getByRole("button", { name: "Post", exact: true }).click();

async function write(page: Page): Promise<Locator> {
  await openWindow(page);
  return dialog(page);
}

const pick = (page: Page, ...files: File[]) =>
  dialog(page).locator("input[type=file]").setInputFiles(files);

const ready = (page: Page, count: number) =>
  expect(rows(page).getByText("Ready", { exact: true })).toHaveCount(count);

/** Brings a file into the page as the clipboard or the mouse does. */
const bring = (page: Page, how: "paste" | "drop", { name, mimeType, buffer }: File) =>
  page.evaluate(
    ({ how, name, type, text }) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name, { type }));
      const target = document.querySelector("[role=dialog] textarea")!;
      const more = { bubbles: true, cancelable: true };
      if (how === "paste")
        target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, ...more }));
      else
        for (const type of ["dragenter", "dragover", "drop"])
          target.dispatchEvent(new DragEvent(type, { dataTransfer: data, ...more }));
    },
    { how, name, type: mimeType, text: buffer.toString("base64") },
  );

/** The addresses of the thumbnails, in order. */
const order = (page: Page) =>
  rows(page)
    .locator(".thumb img")
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src));

/** Uploads a file by the API, and returns its id when it is ready. */
export async function upload(
  who: Person,
  file: File,
  alt = "",
  kind = "tweet",
  poster?: string,
): Promise<string> {
  const { id, upload } = await call(who, "POST", "/v1/media", {
    kind,
    poster,
    contentType: file.mimeType,
    bytes: file.buffer.length,
    alt,
  });
  const begun = await fetch(upload.url, { method: upload.method, headers: upload.headers });
  expect(begun.status, await begun.text()).toBe(201);
  const sent = await fetch(begun.headers.get("Location")!, {
    method: "PUT",
    body: new Uint8Array(file.buffer),
  });
  expect(sent.status, await sent.text()).toBe(200);
  await until(async () => (await call(who, "GET", `/v1/media/${id}`)).state === "ready");
  return id;
}

test("pictures are picked, pasted and dropped, described and put in order; the post shows them", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  await write(page);
  await pick(page, gold);
  await ready(page, 1);
  await bring(page, "paste", rose);
  await bring(page, "drop", blue);
  await ready(page, 3);
  await expect(rows(page).getByText("Add a description")).toHaveCount(3);
  await rows(page).getByRole("textbox").nth(0).fill("A golden burst");
  await rows(page).getByRole("textbox").nth(1).fill("A rose burst");
  await expect(rows(page).getByText("Add a description")).toHaveCount(1);

  // By keyboard alone: the rose one goes to the first place, with the focus.
  const [first, second, third] = await order(page);
  const earlier = rows(page).getByRole("button", { name: "Move to an earlier place" }).nth(1);
  await earlier.focus();
  await page.keyboard.press("Enter");
  expect(await order(page)).toEqual([second, first, third]);
  await expect(dialog(page).getByText("Picture is now 1 of 3")).toBeAttached();
  await expect(
    rows(page).getByRole("button", { name: "Move to a later place" }).nth(0),
    "the other button has the focus where one is off",
  ).toBeFocused();
  await page.keyboard.press("Enter");
  expect(await order(page)).toEqual([first, second, third]);
  // And with the mouse.
  await rows(page).locator(".thumb").nth(1).dragTo(rows(page).getByRole("listitem").nth(0));
  expect(await order(page)).toEqual([second, first, third]);
  await check(page, "compose pictures");
  await page.setViewportSize({ width: 1280, height: 900 });

  await rows(page).getByRole("button", { name: "Remove" }).nth(2).click();
  await expect(rows(page).getByRole("listitem")).toHaveCount(2);
  await dialog(page).getByRole("button", { name: "Post", exact: true }).click(); // without a text
  await expect(dialog(page)).toBeHidden();
  const tweet = page.getByRole("article").first();
  for (const alt of ["A rose burst", "A golden burst"]) {
    const picture = tweet.getByRole("img", { name: alt });
    await expect(picture).toBeInViewport();
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
  }
  const posted = await tweetsOf(ann);
  expect(posted.length).toBe(1);
  expect(posted[0].media.map(({ alt }: { alt: string }) => alt)).toEqual([
    "A rose burst",
    "A golden burst",
  ]);
  const badge = tweet.getByRole("button", { name: "ALT: description of picture 1 of 2" });
  await badge.click();
  await expect(tweet.locator(".alttext")).toHaveText(/A rose burst/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");

  // The text of a tweet that is edited may stay away, and a description may come.
  await tweet.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialog(page).getByLabel("Description").first().fill("A rose burst over the river");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(tweet.getByRole("img", { name: "A rose burst over the river" })).toBeInViewport();
});

test("a picture is posted with its description", { tag: "@firefox" }, async ({ browser }) => {
  const page = await open(browser, await person("Ann"));
  await write(page);
  await pick(page, gold);
  await ready(page, 1);
  await rows(page).getByRole("textbox").fill("A golden burst");
  await submit(page);
  await expect(dialog(page)).toBeHidden();
  const picture = page.getByRole("article").first().getByRole("img", { name: "A golden burst" });
  await expect(picture).toBeInViewport();
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
});

test("what is not taken is said before it is sent", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/v1/media")) asked.push("media");
  });
  await write(page);
  const huge = { ...gold, name: "huge.png", buffer: Buffer.alloc(11 << 20) };
  await pick(page, huge, { ...gold, name: "drawing.tiff", mimeType: "image/tiff" });
  const alert = dialog(page).getByRole("alert");
  await expect(alert).toContainText("huge.png has 11 MB. A picture has at most 10 MB.");
  await expect(alert).toContainText("drawing.tiff: this type of file is not accepted.");
  expect(asked).toEqual([]);
  await pick(page, gold, rose, blue, gold, rose);
  await expect(alert).toContainText("A tweet has up to 4 pictures, or one video.");
  await ready(page, 4);
  expect(asked.length).toBe(4);
  // What the API finds in the bytes is said too.
  await rows(page).getByRole("button", { name: "Remove" }).first().click();
  await pick(page, { ...gold, name: "text.png", buffer: Buffer.from("no picture") });
  await expect(alert).toBeVisible();
  await expect(rows(page).getByRole("button", { name: "Try again" })).toHaveCount(0);
});

test("an upload is cancelled, retried, resumed offline, and kept by a reload; the post waits for it and is made once", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  const ranges: string[] = [];
  page.on("request", (request) => {
    const range = request.headers()["content-range"];
    if (range) ranges.push(range);
  });
  await write(page);

  // Cancelled: nothing is left of it.
  await page.route(storage, () => new Promise(() => undefined)); // no answer
  await pick(page, gold);
  await expect(
    rows(page).getByRole("progressbar").or(rows(page).getByText("0% sent")),
  ).toBeVisible();
  await rows(page).getByRole("button", { name: "Cancel the upload" }).click();
  await expect(rows(page)).toBeHidden();
  await page.unroute(storage);

  // Refused by the storage, and tried again by hand.
  const headers = { "Access-Control-Allow-Origin": "*" };
  await page.route(storage, (route) => route.fulfill({ status: 403, headers }));
  await pick(page, gold);
  await expect(rows(page).getByText("Failed")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Post", exact: true }).click();
  await expect(dialog(page).getByText("Remove the files that failed")).toBeVisible();
  await page.unroute(storage);
  await rows(page).getByRole("button", { name: "Try again" }).click();
  await ready(page, 1);

  // Offline in the middle: the second part goes where the first ended.
  ranges.length = 0;
  await page.route(
    (url) => storage(url),
    async (route) => {
      const range = route.request().headers()["content-range"] ?? "";
      if (!range.startsWith("bytes 1048576-")) return route.fallback();
      await page.context().setOffline(true);
      await route.abort();
    },
    { times: 3 },
  );
  await pick(page, large);
  await expect(rows(page).getByText("Waiting for the network")).toBeVisible();
  await dialog(page).getByRole("textbox", { name: "New tweet" }).fill("Both at once");
  await dialog(page).getByRole("button", { name: "Post", exact: true }).click();
  await expect(dialog(page).getByText("It is posted when the files are ready.")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Not yet" }).click();
  await page.context().setOffline(false);
  await ready(page, 2);
  const size = large.buffer.length;
  expect(ranges.filter((range) => range.startsWith("bytes 0-"))).toHaveLength(1);
  expect(ranges).toContain(`bytes */${size}`);

  // A reload keeps what was sent.
  await page.reload();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await write(page);
  await ready(page, 2);
  await dialog(page).getByRole("button", { name: "Post", exact: true }).dblclick();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("article").first().locator(".picture img")).toHaveCount(2);
  expect(await tweetsOf(ann)).toHaveLength(1);
});

test("pictures above the page, by keyboard alone; a warning hides them", async ({ browser }) => {
  const ann = await person("Ann");
  const ids = [
    await upload(ann, gold, "A golden burst"),
    await upload(ann, rose, "A rose burst"),
    await upload(ann, blue),
  ];
  const tweet = await post(ann, "Three of them", { media: ids });
  await post(ann, "Behind a warning", {
    summary: "Loud",
    media: [await upload(ann, blue, "A blue burst")],
  });
  const quote = await post(ann, "Look at these", { quoteOf: tweet.id });
  const page = await open(browser, ann, `/users/${ann.id}`);
  const warned = page.getByRole("article").filter({ hasText: "Loud" });
  await warned.scrollIntoViewIfNeeded();
  await expect(warned.getByRole("img", { name: "A blue burst" })).toHaveCount(0);
  await warned.getByRole("button", { name: "Show" }).click();
  await expect(warned.getByRole("img", { name: "A blue burst" })).toBeInViewport();
  await check(page, "pictures in lists");

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`/tweets/${tweet.id}`);
  const thumb = page.getByRole("link", { name: "A rose burst" });
  await thumb.focus();
  await page.keyboard.press("Enter");
  const light = dialog(page);
  await expect(light.getByRole("status")).toHaveText("2 of 3");
  await expect(light.getByRole("img", { name: "A rose burst" })).toBeInViewport();
  await check(page, "lightbox");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.keyboard.press("ArrowRight");
  await expect(light.getByRole("status")).toHaveText("3 of 3");
  await page.keyboard.press("ArrowRight");
  await expect(light.getByRole("status"), "there is no fourth").toHaveText("3 of 3");
  await page.keyboard.press("Home");
  await expect(light.getByRole("status")).toHaveText("1 of 3");
  await page.keyboard.press("End");
  await expect(light.getByRole("status")).toHaveText("3 of 3");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await page.keyboard.press("ArrowRight");
  await expect(light.getByRole("status"), "from right to left").toHaveText("2 of 3");
  await page.evaluate(() => (document.documentElement.dir = "ltr"));
  // A finger that goes to the left turns to the next one.
  await page.evaluate(() => {
    const at = (type: string, clientX: number) =>
      document.querySelector(".stage")!.dispatchEvent(
        new PointerEvent(type, {
          pointerType: "touch",
          isPrimary: true,
          bubbles: true,
          clientX,
          clientY: 300,
        }),
      );
    at("pointerdown", 300);
    at("pointerup", 180);
  });
  await expect(light.getByRole("status"), "after a swipe").toHaveText("3 of 3");
  for (let n = 0; n < 8; n++) {
    await page.keyboard.press("Tab");
    expect(
      await page.evaluate(() => document.activeElement?.closest("[role=dialog]") !== null),
      "the focus stays above the page",
    ).toBe(true);
  }
  await light.getByRole("button", { name: "Full size" }).click();
  await expect(light.getByRole("button", { name: "Whole picture" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(light).toBeHidden();
  await expect(thumb).toBeFocused();

  await page.goto(`/tweets/${quote.id}`);
  await expect(page.locator(".quoted").getByRole("img", { name: "A rose burst" })).toBeInViewport();
});

test("a picture for followers is seen by a follower and not by a stranger, and a broken address is mended", async ({
  browser,
}) => {
  const [ann, ben, stranger] = [await person("Ann"), await person("Ben"), await person("Cat")];
  await follows(ben, ann);
  const media = [await upload(ann, gold, "For few")];
  const tweet = await post(ann, "Not for all", { media, visibility: "followers" });
  await until(async () => (await call(ben, "GET", "/v1/timeline")).items.length > 0);
  const page = await open(browser, ben);
  const picture = page.getByRole("img", { name: "For few" });
  await expect(picture).toBeInViewport();
  const shown = () =>
    picture.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0).catch(() => false);
  await expect.poll(shown).toBe(true);
  const address = await picture.evaluate((image) => (image as HTMLImageElement).currentSrc);

  const other = await open(browser, stranger, `/tweets/${tweet.id}`);
  await expect(other.getByText("you cannot see it").first()).toBeVisible();
  const outside = await fresh(browser);
  expect((await outside.request.get(address.replace(/\?.*/, ""))).status()).toBe(404);

  // Signed addresses end: the tweet is read again for others.
  await page.route("**/v1/timeline*", async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replaceAll("signature=", "signature=x");
    await route.fulfill({ response: answer, body: text });
  });
  await page.evaluate(() => indexedDB.deleteDatabase("hibana"));
  await page.reload();
  await expect(picture).toBeInViewport();
  await expect.poll(shown).toBe(true);
});

test("a picture's colours stand in its place until it is there; one that does not load can be tried again", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const tweet = await post(ann, "Slow", { media: [await upload(ann, gold)] });
  const page = await open(browser, ann);
  let come: (() => void) | undefined;
  const comes = new Promise<void>((resolve) => (come = resolve));
  await page.route("**/media/**", async (route) => {
    await comes;
    await route.continue();
  });
  await page.goto(`/tweets/${tweet.id}`);
  const place = page.locator(".big .picture");
  const colour = () =>
    place.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
      const [red, , blue] = canvas.getContext("2d")!.getImageData(10, 10, 1, 1).data;
      return red! > 140 && blue! < 90;
    });
  await expect.poll(colour, "the gold from afar").toBe(true);
  const before = await place.boundingBox();
  expect(before!.width / before!.height).toBeCloseTo(320 / 240, 1);
  come!();
  await expect(place.locator("canvas")).toHaveCount(0);
  await expect(place.getByRole("img", { name: "Picture 1 of 1" })).toBeInViewport();
  expect(await place.boundingBox(), "nothing moved").toEqual(before);

  await page.unroute("**/media/**");
  await page.route("**/media/**", (route) => route.abort());
  await page.reload();
  await expect(place.getByText("This picture could not be loaded.")).toBeInViewport();
  await page.unroute("**/media/**");
  await place.getByRole("button", { name: "Try again" }).click();
  await expect(place.getByRole("img", { name: "Picture 1 of 1" })).toBeInViewport();
  await expect(place.locator("canvas"), "it is there").toHaveCount(0);
});

test("a draft that the API keeps has its pictures with their descriptions", async ({ browser }) => {
  const ann = await person("Ann");
  const media = [await upload(ann, gold, "A golden burst")];
  await call(ann, "POST", "/v1/drafts", { media });
  const page = await open(browser, ann, "/drafts");
  await page.getByRole("button", { name: "A picture or a video" }).click();
  await ready(page, 1);
  await expect(rows(page).getByLabel("Description")).toHaveValue("A golden burst");
  await dialog(page).getByRole("button", { name: "Post", exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByRole("img", { name: "A golden burst" })).toBeInViewport();
});

test("a picture that is taken out of a draft of the API stays until the draft is saved", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const media = [await upload(ann, gold, "A golden burst"), await upload(ann, rose)];
  await call(ann, "POST", "/v1/drafts", { content: "For later", media });
  const page = await open(browser, ann, "/drafts");
  const deleted: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "DELETE") deleted.push(request.url().split("/").at(-1)!);
  });
  await page.getByRole("button", { name: "For later" }).click();
  await ready(page, 2);
  await rows(page).getByRole("button", { name: "Remove" }).first().click();
  await pick(page, blue);
  await ready(page, 2);
  const added = page.waitForRequest((request) => request.method() === "DELETE");
  await rows(page).getByRole("button", { name: "Remove" }).nth(1).click();
  expect(media, "what this page sent goes at once").not.toContain((await added).url().slice(-24));
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  expect(deleted).toHaveLength(1);

  // A save whose answer was lost: the draft has the picture.
  await page.getByRole("button", { name: "For later" }).click();
  await pick(page, blue);
  await ready(page, 2);
  await page.route("**/v1/drafts/*", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog(page).getByRole("button", { name: "Keep as a draft" }).click();
  await expect(dialog(page).getByText("The network does not answer")).toBeVisible();
  await rows(page).getByRole("button", { name: "Remove" }).nth(1).click();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  const { items } = await call(ann, "GET", "/v1/drafts");
  expect(items[0].media).toHaveLength(2);
  for (const id of [...media, ...items[0].media]) await call(ann, "GET", `/v1/media/${id}`);
  expect(deleted).toHaveLength(1);
});

test("a description that was cleared stays cleared after a reload", async ({ browser }) => {
  const ann = await person("Ann");
  await call(ann, "POST", "/v1/drafts", { media: [await upload(ann, gold, "Wrong words")] });
  const page = await open(browser, ann, "/drafts");
  const edit = () => page.getByRole("button", { name: "A picture or a video" }).click();
  await edit();
  await ready(page, 1);
  await rows(page).getByRole("textbox").fill("");
  await page.reload();
  await edit();
  await ready(page, 1);
  await expect(rows(page).getByRole("textbox")).toHaveValue("");
  await submit(page);
  await expect(dialog(page)).toBeHidden();
  const items = await tweetsOf(ann);
  expect(items[0].media[0].alt).toBe("");
});

test("a post whose answer was lost says so when its pictures are described anew", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  await write(page);
  await pick(page, gold);
  await ready(page, 1);
  let go: (() => void) | undefined;
  const goes = new Promise<void>((resolve) => (go = resolve));
  await page.route("**/v1/tweets", async (route) => {
    await goes;
    await route.fetch();
    await route.abort();
  });
  await submit(page);
  await expect(rows(page).getByRole("textbox"), "while it is sent").toBeDisabled();
  const text = dialog(page).getByRole("textbox", { name: "New tweet" });
  await expect(text, "while it is sent").not.toBeEditable();
  go!();
  await expect(dialog(page).getByText("The network does not answer")).toBeVisible();
  await expect(text).toBeEditable();
  await page.unroute("**/v1/tweets");
  await rows(page).getByRole("textbox").fill("A golden burst");
  await submit(page);
  await expect(dialog(page).getByText("this one may have been posted")).toBeVisible();
  expect(await tweetsOf(ann)).toHaveLength(1);
});

test("an upload ends where the network is silent, the storage takes nothing, or nobody looks at it", async ({
  browser,
}) => {
  const page = await open(browser, await person("Ann"));
  await page.clock.install();
  await write(page);
  // Moves the clock until a text is there.
  const later = (text: string, step: number) =>
    expect(async () => {
      await page.clock.fastForward(step);
      await expect(rows(page).getByText(text)).toBeVisible({ timeout: 200 });
    }).toPass();

  let silent = 0;
  await page.route(storage, (route) => {
    if (route.request().method() !== "PUT" || silent++ > 0) return route.fallback();
    return new Promise(() => undefined); // no answer
  });
  await pick(page, gold);
  await expect.poll(() => silent).toBe(1);
  await page.clock.fastForward(61_000);
  await ready(page, 1);
  expect(silent, "asked what arrived, and sent again").toBe(3);
  await page.unroute(storage);
  await rows(page).getByRole("button", { name: "Remove" }).click();

  let asked = 0;
  const headers = { "Access-Control-Allow-Origin": "*" };
  await page.route(storage, (route) => {
    if (route.request().method() !== "PUT") return route.fallback();
    asked++;
    return route.fulfill({ status: 308, headers });
  });
  await pick(page, gold);
  await later("Failed", 5_000);
  expect(asked, "4 times sent, and 3 times asked what arrived").toBe(7);
  await page.unroute(storage);
  await rows(page).getByRole("button", { name: "Remove" }).click();

  let looked = 0;
  const media = /\/v1\/media\/\w+$/;
  await page.route(media, async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    looked++;
    const response = await route.fetch();
    await route.fulfill({
      response,
      json: { ...(await response.json()), state: "uploading" },
    });
  });
  await pick(page, gold);
  await later("It takes longer than usual", 30_000);
  expect(looked, "within 5 minutes").toBeLessThan(20);
  await page.unroute(media);
  await rows(page).getByRole("button", { name: "Try again" }).click();
  await ready(page, 1);
});

test("a description that a list cuts is whole beside its picture and above the page", async ({
  browser,
}) => {
  const ann = await person("Ann");
  // A family is seven characters of which none is cut off: a list has 294.
  const alt = `${"👨‍👩‍👧‍👦".repeat(50)} and a golden burst`;
  await post(ann, "A crowd", { media: [await upload(ann, gold, alt)] });
  await post(ann, "A burst", { media: [await upload(ann, gold, "A golden burst")] });
  const page = await open(browser, ann, `/users/${ann.id}`);
  const read: string[] = [];
  page.on("request", (request) => read.push(new URL(request.url()).pathname));
  const tweet = page.getByRole("article").filter({ hasText: "A crowd" });
  await tweet.locator(".altbadge").click();
  await expect(tweet.locator(".alttext .plain")).toHaveText(alt);
  await tweet.locator(".alttext .button").click(); // it covers the picture
  await tweet.locator(".picture a").click();
  await expect(dialog(page).locator(".caption")).toHaveText(alt);
  expect(read.filter((path) => path.startsWith("/v1/tweets/"))).toHaveLength(1);
  await page.keyboard.press("Escape");

  // What the list has whole is not asked for.
  const short = page.getByRole("article").filter({ hasText: "A burst" });
  await short.locator(".picture a").click();
  await expect(dialog(page).locator(".caption")).toHaveText("A golden burst");
  expect(read.filter((path) => path.startsWith("/v1/tweets/"))).toHaveLength(1);
});

test("a video stands alone in a tweet, with its description", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  await write(page);
  await pick(page, film, gold);
  await expect(dialog(page).getByRole("alert")).toContainText("or one video");
  await ready(page, 1);
  await expect(dialog(page).getByRole("list", { name: "Video of this tweet" })).toBeVisible();
  await expect(rows(page).getByLabel("The video")).toBeVisible();
  await rows(page).getByRole("textbox").fill("Sparks for two seconds");
  await dialog(page).getByRole("button", { name: "Post", exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  const items = await tweetsOf(ann);
  expect(items).toHaveLength(1);
  expect(items[0].media).toMatchObject([
    { type: "video", width: 640, height: 360, durationMs: 2500, alt: "Sparks for two seconds" },
  ]);
  const video = page.getByRole("article").first().locator(".picture");
  await expect(video).toBeInViewport();
  await expect(
    page.getByRole("article").first().getByRole("group", { name: "Video", exact: true }),
  ).toBeVisible();
  // Not every browser plays it: then a sentence stands there.
  await expect(
    video.locator("video[controls][src*='/original']").or(video.getByText("could not be loaded")),
  ).toBeInViewport();
  const size = await video.boundingBox();
  expect(size!.width / size!.height).toBeCloseTo(640 / 360, 1);
});

test("a video is sent with a picture of it, which stands there until somebody plays it", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await open(browser, ann);
  await write(page);
  // What the page announces: Playwright does not see the bodies of these requests.
  await page.evaluate(() => {
    const real = window.fetch.bind(window);
    window.fetch = async (...call) => {
      const request = new Request(...call);
      if (request.method === "POST" && request.url.endsWith("/v1/media"))
        (announced as unknown[]).push(await request.clone().json());
      return real(request);
    };
    const announced = ((window as { announced?: unknown }).announced = []);
  });
  const asked = () =>
    page.evaluate(
      () =>
        (window as unknown as { announced: { contentType: string; poster?: string }[] }).announced,
    );
  // The browser films a golden square. It is no MP4, which the API finds out later than the page.
  await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [320, 180];
    const pen = canvas.getContext("2d")!;
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/webm" });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((resolve) => (recorder.onstop = resolve));
    recorder.start();
    for (let n = 0; n < 20; n++) {
      pen.fillStyle = n % 2 ? "rgb(255 194 71)" : "rgb(255 190 71)";
      pen.fillRect(0, 0, 320, 180);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    recorder.stop();
    await ended;
    const data = new DataTransfer();
    data.items.add(new File(parts, "film.mp4", { type: "video/mp4" }));
    const input = document.querySelector<HTMLInputElement>("[role=dialog] input[type=file]")!;
    input.files = data.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await expect
    .poll(async () => (await asked()).map(({ contentType }) => contentType))
    .toEqual(["image/jpeg", "video/mp4"]);
  const id = (await asked())[1]!.poster!;
  await until(async () => (await call(ann, "GET", `/v1/media/${id}`)).state === "ready");
  expect(await call(ann, "GET", `/v1/media/${id}`)).toMatchObject({ width: 320, height: 180 });

  // The same by the API, with a film: its poster is shown, and nothing of the film is loaded.
  const poster = await upload(ann, gold);
  const video = await upload(ann, film, "Sparks", "tweet", poster);
  await post(ann, "Press play", { media: [video] });
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto(`/users/${ann.id}`);
  const shown = page.getByRole("article").filter({ hasText: "Press play" }).locator("video");
  await expect(shown).toHaveAttribute("poster", new RegExp(`/media/${video}/large$`));
  await expect(shown).toBeInViewport();
  await expect.poll(() => loaded).toContain(`/media/${video}/large`);
  expect(loaded).not.toContain(`/media/${video}/original`);
});

test("a profile has its own picture and a wide one", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await open(browser, ann, "/settings");
  for (const [button, group, file] of [
    ["Choose a picture", "Picture", rose],
    ["Choose a wide picture", "Wide picture at the top", gold],
  ] as const) {
    const part = page.getByRole("group", { name: group, exact: true });
    await expect(part.getByRole("button", { name: button })).toBeVisible();
    await part.locator("input[type=file]").setInputFiles(file);
    await expect(part.locator("img")).toBeVisible();
    await part.getByRole("button", { name: "Use it" }).click();
    await expect(part.getByRole("button", { name: button })).toBeVisible();
    await expect(part.getByRole("button", { name: /^Remove/ })).toBeVisible();
  }
  await check(page, "settings pictures");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`/users/${ann.id}`);
  for (const picture of [page.locator(".cover img"), page.locator("main .avatar.large")]) {
    await expect(picture).toBeInViewport();
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
  }
  await check(page, "profile pictures");
  await page.goto("/settings");
  await page.getByRole("button", { name: "Remove the wide picture" }).click();
  await expect(page.getByRole("button", { name: "Remove the wide picture" })).toBeHidden();
  expect((await call(undefined, "GET", `/v1/users/${ann.id}`)).header ?? "").toBe("");
});
