import { expect } from "@playwright/test";
import { check } from "./look";
import { call, fresh, password, person, test } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const origin = process.env.HIBANA_URL!;
// Elk has the address of its server in the path, escaped.
const cb = "http://127.0.0.1:9/cb/http%3A%2F%2Felk.example";

const ask = (app: { client_id: string }, more: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: app.client_id,
    redirect_uri: cb,
    scope: "read write:statuses",
    state: "a b&c%2B",
    ...more,
  }).toString()}`;

test("a person signs in for an app, lets it in, and out again, on a phone @short", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const app = await call(undefined, "POST", "/api/v1/apps", {
    client_name: "An app with quite a long name, for a phone, of 60 characters",
    redirect_uris: [cb],
    scopes: "read write",
    website: "https://app.example/with/a/long/address/that/does/not/fit/a/phone",
  });
  const page = await fresh(browser, phone);
  let answered = "";
  await page.route("http://127.0.0.1:9/**", async (route) => {
    answered = route.request().url();
    await route.fulfill({ contentType: "text/html", body: "<title>the app</title>welcome back" });
  });
  await page.goto(ask(app));
  await page.getByLabel("E-mail", { exact: true }).fill(ann.email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(
    page.getByRole("heading", { name: "Let this app into your account?" }),
  ).toBeVisible();
  await expect(page.getByText("127.0.0.1:9", { exact: true })).toBeVisible();
  await expect(page.getByText(`@${ann.name}`).last()).toBeVisible();
  await expect(page.getByText("Post, delete your posts, share, vote")).toBeVisible();
  await check(page, "authorize");
  await page.setViewportSize(phone.viewport);

  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => answered).toContain("error=access_denied");
  await page.goto(ask(app, { lang: "ja" }));
  await expect(page.getByRole("heading", { name: "このアプリに" })).toBeVisible();
  await check(page, "authorize-ja");
  await page.setViewportSize(phone.viewport);
  await page.getByRole("button", { name: "許可する" }).click();
  await expect(page.getByText("welcome back")).toBeVisible();
  const at = new URL(answered);
  expect(at.searchParams.get("state")).toBe("a b&c%2B");
  expect(at.searchParams.get("iss")).toBe(`${origin}/`);
  const token = await call(undefined, "POST", "/oauth/token", {
    grant_type: "authorization_code",
    client_id: app.client_id,
    client_secret: app.client_secret,
    redirect_uri: cb,
    code: at.searchParams.get("code"),
  });
  const bearer = { headers: { Authorization: `Bearer ${token.access_token}` } };
  expect((await fetch(`${origin}/v1/users/me`, bearer)).status).toBe(200);

  // An address that is not the app's is an error of this page, and leads nowhere.
  answered = "";
  await page.goto(ask(app, { redirect_uri: "https://evil.example/" }));
  await expect(page.getByRole("alert")).toHaveText(/has not registered/);
  expect(new URL(page.url()).origin).toBe(new URL(origin).origin);

  await page.goto("/settings");
  await page.getByRole("link", { name: /^Apps/ }).click();
  await expect(page.getByRole("heading", { name: app.name })).toBeVisible();
  await check(page, "apps");
  await page.getByRole("button", { name: `Remove ${app.name}` }).click();
  await expect(page.getByText("You have let no app in.")).toBeVisible();
  expect((await fetch(`${origin}/v1/users/me`, bearer)).status).toBe(401);
});
