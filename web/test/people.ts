import {
  expect,
  test as base,
  type Browser,
  type BrowserContextOptions,
  type Page,
} from "@playwright/test";
import { drive, ofNetwork } from "./firefox";

const api = process.env.HIBANA_URL!;
const auth = `${process.env.HIBANA_AUTH}/identitytoolkit.googleapis.com/v1`;
let made = 0;

// What failed in the scripts of pages of the test that runs.
let faults: string[] = [];

/** A test after which its pages are closed, and in which no script may fail. */
export const test = base.extend<{ ended: void }, { browser: Browser }>({
  browser: [
    async ({ browser, browserName }, use) => {
      if (browserName === "firefox") drive(browser);
      await use(browser);
    },
    { scope: "worker" },
  ],
  ended: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
      const all = faults;
      faults = [];
      expect(all, "scripts failed").toEqual([]);
    },
    { auto: true },
  ],
});

/** Somebody with an account and a profile. */
export interface Person {
  id: string;
  name: string;
  email: string;
  token: string;
  refresh: string;
}

export const password = "sparkler";

/** Sends a request to the API as a person, and returns the body of the answer. */
export async function call<T = any>(
  who: Person | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(api + path, {
    method,
    headers: {
      ...(who ? { Authorization: `Bearer ${who.token}` } : {}),
      "Content-Type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok)
    throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T);
}

/** Signs somebody up. */
export async function person(nickname: string): Promise<Person> {
  const name = `${nickname.toLowerCase()}_${process.pid % 10_000}_${++made}`;
  const email = `${name}@example.com`;
  const answer = await fetch(`${auth}/accounts:signUp?key=any`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  });
  const { idToken, refreshToken, localId } = (await answer.json()) as {
    idToken: string;
    refreshToken: string;
    localId: string;
  };
  const who = { id: localId, name, email, token: idToken, refresh: refreshToken };
  await call(who, "POST", "/v1/users", { username: name, nickname });
  return who;
}

/** Signs up an administrator, as a project owner makes one: by a claim of the account. */
export async function administrator(): Promise<Person> {
  const who = await person("Keeper");
  const claims = await fetch(`${auth}/accounts:update`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: "Bearer owner" },
    body: JSON.stringify({ localId: who.id, customAttributes: JSON.stringify({ admin: true }) }),
  });
  expect(claims.ok, await claims.text()).toBe(true);
  const answer = await fetch(`${auth}/accounts:signInWithPassword?key=any`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: who.email, password, returnSecureToken: true }),
  });
  const { idToken, refreshToken } = (await answer.json()) as {
    idToken: string;
    refreshToken: string;
  };
  return { ...who, token: idToken, refresh: refreshToken };
}

export const post = (who: Person, content: string, more = {}): Promise<{ id: string }> =>
  call(who, "POST", "/v1/tweets", { content, ...more });
export const follows = (who: Person, whom: Person) =>
  call(who, "PUT", `/v1/users/${whom.id}/follow`);

/** Waits until the API answers what is expected: derived documents follow by events. */
export async function until(what: () => Promise<boolean>): Promise<void> {
  await expect.poll(what, { intervals: [100, 200, 400] }).toBe(true);
}

/** Returns a person's tweets, newest first. A trigger puts the first one there a moment after it was posted. */
export async function tweetsOf(who: Person): Promise<any[]> {
  const read = async () => (await call(who, "GET", `/v1/users/${who.id}/tweets`)).items;
  await until(async () => (await read()).length > 0);
  return read();
}

/**
 * Waits until tweets are in somebody's home timeline, in which they need not come in their order.
 */
export const atHome = (who: Person, ...tweets: { id: string }[]) =>
  until(async () => {
    const items: { id: string }[] = (await call(who, "GET", "/v1/timeline?pageSize=50")).items;
    return tweets.every(({ id }) => items.some((item) => item.id === id));
  });

/** Makes a browser of its own with an empty page, in which nobody is signed in. */
export async function fresh(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  context.on("weberror", (fault) => {
    const { message } = fault.error();
    if (!ofNetwork(message)) faults.push(message);
  });
  const page = await context.newPage();
  // A window that closes goes back in the history a moment later, and would take a page that is opened meanwhile along.
  const go = page.goto.bind(page);
  page.goto = async (...where) => {
    await page
      .waitForFunction(
        () =>
          document.querySelector("[role=dialog]") !== null ||
          (history.state as { window?: number } | null)?.window === undefined,
        undefined,
        { timeout: 2000 },
      )
      .catch(() => undefined); // nothing was opened yet, or the page is on its way elsewhere
    return go(...where);
  };
  return page;
}

/** What Firebase Auth keeps of an account that is signed in under an app. */
export const authOf = (who: Person, appName: string) => ({
  uid: who.id,
  email: who.email,
  emailVerified: false,
  isAnonymous: false,
  providerData: [],
  apiKey: "any",
  appName,
  stsTokenManager: {
    accessToken: who.token,
    refreshToken: who.refresh,
    expirationTime: Date.now() + 3_600_000,
  },
});

/**
 * Makes a browser of its own in which somebody is signed in, as Firebase Auth keeps that, with an
 * empty page.
 */
export async function signedIn(
  browser: Browser,
  who: Person,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const account = authOf(who, "[DEFAULT]");
  const localStorage = [
    { name: "firebase:authUser:any:[DEFAULT]", value: JSON.stringify(account) },
  ];
  return fresh(browser, {
    ...options,
    storageState: { cookies: [], origins: [{ origin: api, localStorage }] },
  });
}

/**
 * Opens the client in a browser of its own, signed in. Returns when home is there; another page is
 * only on its way.
 */
export async function open(
  browser: Browser,
  who: Person,
  path = "/",
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await signedIn(browser, who, options);
  await page.goto(path);
  if (path === "/")
    await expect(page.getByRole("heading", { name: /^(Home|ホーム)$/ })).toBeVisible();
  return page;
}

/** Opens the window to write in. At home the key c goes to the field of the page. */
export async function write(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Post", exact: true }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

/** Returns what the browser keeps of what was read, by account. */
export const inBrowser = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ at: number }[]>((done) => {
        const opened = indexedDB.open("hibana");
        opened.onsuccess = () => {
          const all = opened.result.transaction("kept").objectStore("kept").getAll();
          all.onsuccess = () => (opened.result.close(), done(all.result));
        };
      }),
  );

/** Waits until the browser has kept what was read with a text in it, or without it. */
export const kept = (page: Page, text: string, is = true) =>
  expect.poll(async () => JSON.stringify(await inBrowser(page)).includes(text)).toBe(is);

/** Returns when the browser kept what the only account of it read, in milliseconds. */
export const keptAt = async (page: Page) => (await inBrowser(page))[0]!.at;
