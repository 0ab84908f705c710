// Photographs the pages of the client, filled by the seed: `make screenshots`. Pictures of all pages go to screenshots,
// and those of the README to ../docs/images. HIBANA_URL is the client that hibana dev serves, HIBANA_API its API,
// HIBANA_BROWSER Chromium. PAGES=home,thread takes some pages only.
import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { chromium } from "@playwright/test";

const { HIBANA_URL: url, HIBANA_API: api, HIBANA_BROWSER: executablePath } = process.env;
const password = "sparkler"; // of every user of the seed
const sizes = {
  desktop: { viewport: { width: 1180, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};
const looks = [
  ["desktop", "light", "en-GB"],
  ["desktop", "dark", "en-GB"],
  ["phone", "light", "ja-JP"],
  ["phone", "dark", "ja-JP"],
];
// What the README shows, and the most bytes of each.
const best = {
  "home-desktop-light-en": "home",
  "thread-desktop-dark-en": "thread",
  "profile-phone-light-ja": "phone",
};
const largest = 300_000;

const get = async (path) => {
  const answer = await fetch(api + path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/** The pages of the client by name. Some need the ids of what the seed made. */
async function pages() {
  const hana = await get("/v1/usernames/hana");
  const layla = await get("/v1/usernames/layla");
  const tweets = (await get(`/v1/users/${hana.id}/tweets?pageSize=50`)).items;
  const products = (await get("/v1/products")).items;
  return {
    home: "/",
    explore: "/explore",
    notifications: "/notifications",
    thread: `/tweets/${tweets.at(-1).id}`,
    photo: `/tweets/${tweets[0].id}`,
    profile: `/users/${hana.id}`,
    arabic: `/users/${layla.id}`,
    search: "/explore?q=%E8%8A%B1%E7%81%AB",
    tag: "/tags/%E8%8A%B1%E7%81%AB",
    people: "/people/find",
    messages: "/messages",
    lists: "/lists",
    drafts: "/drafts",
    bookmarks: "/bookmarks",
    shop: "/shop",
    product: `/shop/${products[0].id}`,
    cart: "/cart",
    orders: "/orders",
    announcements: "/settings/announcements",
    settings: "/settings",
    account: "/settings/account",
    filters: "/settings/filters",
    muted: "/settings/muted",
    about: "/about",
  };
}

/** Those of the administrator. */
const offices = {
  administration: "/admin",
  appeals: "/admin/appeals",
  signups: "/admin/signups",
  goods: "/admin/products",
  sales: "/admin/orders",
  instance: "/admin/instance",
};

async function signIn(page, email) {
  await page.goto(`${url}/sign-in`);
  await page.locator("input[name=email]").fill(email);
  await page.locator("input[name=password]").fill(password);
  await page.locator("form button.main").click();
  await page.waitForURL((to) => !to.pathname.startsWith("/sign-in"));
}

// Goes to a page without loading the client anew, which takes seconds: it hears of the address.
async function photograph(page, name, path) {
  if (page.url().startsWith(url))
    await page.evaluate((to) => globalThis.history.pushState(null, "", to), path);
  else await page.goto(url + path);
  await page.waitForTimeout(250);
  // A page that still loads after that is photographed as it is.
  await page
    .waitForFunction(
      () =>
        !document.querySelector("[aria-busy=true], .loading, .skeleton") &&
        [...document.images].every(
          (image) =>
            image.complete ||
            image.getClientRects().length === 0 || // hidden, as the rail of phones: it never loads
            image.getBoundingClientRect().top > innerHeight,
        ),
      undefined,
      { timeout: 5_000 },
    )
    .catch(() => console.error(`${name} still loads`));
  await page.mouse.move(0, 0); // nothing is under it
  await page.waitForTimeout(350);
  await page.screenshot({ path: `screenshots/${name}.png`, animations: "disabled" });
}

mkdirSync("screenshots", { recursive: true });
mkdirSync("../docs/images", { recursive: true });
const chosen = process.env.PAGES?.split(",") ?? [];
const wanted = ([name]) => chosen.length === 0 || chosen.includes(name);
const all = Object.entries(await pages()).filter(wanted);
const office = Object.entries(offices).filter(wanted);
// The trends of the seed come within some minutes.
for (let n = 0; n < 90 && (await get("/v1/trends")).tags.length === 0; n++)
  await new Promise((done) => globalThis.setTimeout(done, 1_000));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let failed = false;
for (const [size, colorScheme, locale] of looks) {
  const look = `${size}-${colorScheme}-${locale.slice(0, 2)}`;
  for (const [email, places] of [
    ["hana@example.com", all],
    ["admin@example.com", office],
  ]) {
    if (places.length === 0) continue;
    const context = await browser.newContext({
      ...sizes[size],
      colorScheme,
      locale,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    if (places === all && wanted(["welcome"]))
      await photograph(page, `welcome-${look}`, "/sign-in");
    await signIn(page, email);
    for (const [name, path] of places) await photograph(page, `${name}-${look}`, path);
    await context.close();
  }
  console.log(`${look} is done`);
}
await browser.close();
for (const [from, to] of Object.entries(best)) {
  if (!all.some(([name]) => from.startsWith(`${name}-`))) continue;
  const file = `screenshots/${from}.png`;
  copyFileSync(file, `../docs/images/${to}.png`);
  const { size } = statSync(file);
  console.log(`docs/images/${to}.png: ${Math.round(size / 1000)} kB`);
  if (size > largest) {
    console.error(`${file} has ${size} bytes, and the README's limit is ${largest}`);
    failed = true;
  }
}
process.exit(failed ? 1 : 0);
