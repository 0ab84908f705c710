import { expect, type Browser, type Page } from "@playwright/test";
import { check } from "./look";
import { call, fresh, open, password, person, test, until, type Person } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const emulator = process.env.HIBANA_AUTH!;

/** Returns the links of the letters that the Auth emulator sent to an address, oldest first. */
async function letters(email: string, requestType: string): Promise<string[]> {
  const answer = await fetch(`${emulator}/emulator/v1/projects/demo-hibana/oobCodes`);
  const { oobCodes } = (await answer.json()) as {
    oobCodes: { email: string; requestType: string; oobLink: string }[];
  };
  return oobCodes
    .filter((one) => one.email === email && one.requestType === requestType)
    .map((one) => one.oobLink);
}

/** Signs somebody in at the door, as a person does. */
async function signIn(page: Page, email: string, secret: string) {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const section = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

/** Waits until the clock of tokens, which has whole seconds, has gone on. */
const nextSecond = async () => {
  const now = Math.floor(Date.now() / 1000);
  await expect.poll(() => Math.floor(Date.now() / 1000), { intervals: [50] }).toBeGreaterThan(now);
};

/** Opens the page of the account through the settings, after a sign-in at the door. */
async function atAccount(browser: Browser, who: Person, secret = password): Promise<Page> {
  const page = await fresh(browser, phone);
  await signIn(page, who.email, secret);
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await page.goto("/settings");
  await page.getByRole("link", { name: /Sign-in and security/ }).click();
  await expect(page.getByRole("heading", { name: "Sign-in and security" })).toBeInViewport();
  return page;
}

test("a person changes the password, and signs in with the new one", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await atAccount(browser, ann);
  const form = section(page, "Password");
  await form.getByLabel("New password").fill("fireworks");
  await form.getByLabel("Your password").fill("wrong one");
  await form.getByRole("button", { name: "Change the password" }).click();
  await expect(form.getByRole("alert")).toBeInViewport();
  await form.getByLabel("Your password").fill(password);
  await form.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
  const other = await fresh(browser, phone);
  await signIn(other, ann.email, password);
  await expect(other.getByRole("alert")).toBeInViewport();
  await signIn(other, ann.email, "fireworks");
  await expect(other.getByRole("heading", { name: "Home" })).toBeVisible();
});

test("the address changes when the letter’s link is opened, and the API has the new one", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await atAccount(browser, ann);
  const form = section(page, "E-mail");
  const address = `new-${ann.email}`;
  await form.getByLabel("New e-mail address").fill(address);
  await form.getByLabel("Your password").fill(password);
  await form.getByRole("button", { name: "Change the address" }).click();
  await expect(form.getByText(`Open the link in the e-mail to ${address}.`)).toBeInViewport();
  const [link] = await letters(ann.email, "VERIFY_AND_CHANGE_EMAIL");
  expect((await fetch(link!)).ok).toBe(true);
  const after = await fresh(browser, phone);
  await signIn(after, address, password);
  await expect(after.getByRole("heading", { name: "Home" })).toBeVisible();
  await after.goto("/settings/account");
  await expect(section(after, "E-mail").getByText(address, { exact: true })).toBeInViewport();
  const answer = await fetch(
    `${emulator}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`,
    {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: address, password, returnSecureToken: true }),
    },
  );
  const { idToken } = (await answer.json()) as { idToken: string };
  await until(
    async () => (await call({ ...ann, token: idToken }, "GET", "/v1/users/me")).email === address,
  );
});

test("signing out everywhere ends the session of another browser", async ({ browser }) => {
  const ann = await person("Ann");
  const [page, other] = [await atAccount(browser, ann), await atAccount(browser, ann)];
  const places = section(other, "Where you signed in");
  await expect(places.getByText("This device")).toBeVisible();
  await expect(places.getByRole("listitem").first()).toContainText(/Chrome|Firefox|Safari/);
  await nextSecond();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page.getByRole("button", { name: "Look around first" })).toBeVisible();
  await other.goto("/bookmarks");
  await expect(other.getByText("You are signed out: ")).toBeInViewport();
  await signIn(page, ann.email, password);
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await page.goto("/settings/account");
  const mine = section(page, "Where you signed in");
  await expect(mine.getByText("Signed out").first()).toBeVisible();
});

/**
 * Stands in for the script of Google with which Firebase Auth hears of its popup: there is no
 * network. The popup answers at once, as the provider would, with an account of an address.
 */
async function google(page: Page, email: string) {
  await page.addInitScript((email) => {
    let heard: ((event: unknown) => void) | undefined;
    const frame = {
      ping: () => Promise.resolve(),
      restyle: () => Promise.resolve(),
      register: (_: string, handle: (event: unknown) => unknown) =>
        (heard = (authEvent) => void handle({ type: "authEvent", authEvent })),
      send: () => {},
    };
    Object.assign(window, {
      gapi: {
        load: (_: string, { callback }: { callback: () => void }) => callback(),
        iframes: {
          CROSS_ORIGIN_IFRAMES_FILTER: {},
          Iframe: {},
          getContext: () => ({
            open: (_: unknown, opened: (is: typeof frame) => void) => (opened(frame), frame),
          }),
        },
      },
      open: (url: string) => {
        const claims = {
          sub: `google-${email}`,
          email,
          email_verified: true,
          iss: "",
          aud: "",
          exp: 0,
          iat: 0,
        };
        const at = new URL(url).searchParams;
        setTimeout(() =>
          heard?.({
            type: at.get("authType"),
            eventId: at.get("eventId"),
            urlResponse: `http://localhost/?${new URLSearchParams({ id_token: JSON.stringify(claims), providerId: at.get("providerId")! }).toString()}`,
            sessionId: "session",
            postBody: null,
            tenantId: null,
            error: null,
          }),
        );
        return { closed: false, close: () => {}, focus: () => {} };
      },
    });
  }, email);
}

test("a person signs in with Google, adds a password’s account to it, and removes it", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await fresh(browser, phone);
  await google(page, ann.email);
  await signIn(page, ann.email, password);
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await page.goto("/settings/account");
  const others = section(page, "Other accounts");
  await others.getByRole("button", { name: "Add Google" }).click();
  await expect(page.getByText("You can sign in with Google now.")).toBeVisible();
  const after = await fresh(browser, phone);
  await google(after, ann.email);
  await after.goto("/sign-in");
  await expect(after.getByRole("button", { name: "Continue with Google" })).toBeInViewport();
  await after.getByRole("button", { name: "Continue with Google" }).click();
  await expect(after.getByRole("heading", { name: "Home" })).toBeVisible();
  await others.getByRole("button", { name: "Remove Google" }).click();
  await expect(others.getByRole("button", { name: "Add Google" })).toBeVisible();
});

/** Answers for the Auth emulator, which knows no codes of authenticator apps. */
async function totp(page: Page) {
  await page.route("**/v2/accounts/mfaEnrollment:start*", (route) =>
    route.fulfill({
      json: {
        totpSessionInfo: {
          sharedSecretKey: "JBSWY3DPEHPK3PXP",
          verificationCodeLength: 6,
          hashingAlgorithm: "SHA1",
          periodSec: 30,
          sessionInfo: "session",
          finalizeEnrollmentTime: new Date(Date.now() + 600_000).toISOString(),
        },
      },
    }),
  );
}

test("a second step shows its key, and sends the code that the app shows", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await atAccount(browser, ann);
  await totp(page);
  const form = section(page, "Two-factor authentication");
  await form.getByLabel("Your password").fill(password);
  await form.getByRole("button", { name: "Set up two-factor authentication" }).click();
  await expect(form.getByText("JBSWY3DPEHPK3PXP")).toBeVisible();
  await expect(form.getByRole("link", { name: "Open in the app" })).toHaveAttribute(
    "href",
    /^otpauth:\/\/totp\/.*secret=JBSWY3DPEHPK3PXP/,
  );
  const asked = page.waitForRequest("**/v2/accounts/mfaEnrollment:finalize*");
  await page.route("**/v2/accounts/mfaEnrollment:finalize*", (route) =>
    route.fulfill({
      status: 400,
      json: { error: { code: 400, message: "INVALID_CODE" } },
    }),
  );
  await form.getByLabel("The 6 digits").fill("123 456");
  await form.getByRole("button", { name: "Turn on" }).click();
  expect((await asked).postDataJSON()).toMatchObject({
    totpVerificationInfo: { verificationCode: "123456", sessionInfo: "session" },
  });
  await expect(form.getByRole("alert")).toBeInViewport();
});

test("the page of the account fits a phone, in Japanese too", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await open(browser, ann, "/settings/account", { ...phone, locale: "ja-JP" });
  await expect(page.getByRole("heading", { name: "ログインとセキュリティ" })).toBeVisible();
  await expect(page.getByRole("button", { name: "すべての端末でログアウト" })).toBeVisible();
  await check(page, "account-ja");
});
