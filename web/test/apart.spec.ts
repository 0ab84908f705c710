import { expect } from "@playwright/test";
import { fresh, test } from "./people";

// The API is at an address of its own, asks for App Check tokens, and for confirmed addresses: as
// in production. What Google answers is played: its script of reCAPTCHA, and the exchange of what
// that says for a token.
test("an API apart, App Check and confirmed addresses: somebody signs up, confirms the address, and posts", async ({
  browser,
}) => {
  const page = await fresh(browser);
  const loaded: string[] = [];
  await page.route(
    "https://www.google.com/recaptcha/enterprise.js*",
    (route) => (
      loaded.push(route.request().url()),
      route.fulfill({
        contentType: "text/javascript",
        body: "let told; window.grecaptcha = { enterprise: { ready: (then) => then(), render: (_, options) => ((told = options.callback), 0), execute: async () => (told(), 'seen') } };",
      })
    ),
  );
  await page.route(
    "https://content-firebaseappcheck.googleapis.com/**",
    (route) => (
      loaded.push(route.request().url()),
      route.fulfill({
        json: { token: process.env.HIBANA_APP_CHECK, ttl: "3600s" },
        headers: { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" },
      })
    ),
  );
  const asked = new Set<string>();
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (pathname.startsWith("/v1/") && !origin.endsWith(".googleapis.com")) asked.add(origin);
  });
  const email = `apart_${process.pid}@example.com`;
  await page.goto("/sign-up");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("sparkler");
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await page.getByLabel("Username").fill(`apart_${process.pid % 10_000}`);
  await page.getByLabel("Name", { exact: true }).fill("Apart");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  expect(loaded.some((url) => url.includes("exchangeRecaptchaEnterpriseToken"))).toBe(true);

  const post = async (text: string) => {
    await page.getByRole("button", { name: "Post", exact: true }).first().click();
    await page.getByRole("dialog").getByRole("textbox").first().fill(text);
    await page.getByRole("dialog").getByRole("button", { name: "Post", exact: true }).click();
  };
  await post("Not yet");
  const wanted = page.getByText(`The address ${email} is not confirmed yet.`, { exact: false });
  await expect(wanted.first()).toBeAttached();
  await page.keyboard.press("Escape");
  await expect(wanted).toBeInViewport();

  // One letter came with the account, and another when it is asked for.
  const letters = async () => {
    const answer = await fetch(
      `${process.env.HIBANA_AUTH}/emulator/v1/projects/${process.env.HIBANA_AUTH_PROJECT}/oobCodes`,
    );
    const { oobCodes } = (await answer.json()) as {
      oobCodes: { email: string; requestType: string; oobLink: string }[];
    };
    return oobCodes.filter((one) => one.email === email && one.requestType === "VERIFY_EMAIL");
  };
  expect(await letters()).toHaveLength(1);
  await page.getByRole("button", { name: "Send the e-mail again" }).click();
  await expect(page.getByText(`An e-mail to ${email} is on its way.`)).toBeVisible();
  expect(await letters()).toHaveLength(2);
  expect((await fetch((await letters())[1]!.oobLink)).ok).toBe(true);

  // Back on the page, it knows.
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(wanted).toBeHidden();
  await post("Confirmed");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.goto("/settings");
  await expect(page.getByText("Your e-mail address is confirmed.")).toBeVisible();
  expect([...asked]).toEqual([process.env.HIBANA_API]);
});
