import { expect } from "@playwright/test";
import { call, open, person, signedIn, test, type Person } from "./people";

test("a usual visit writes no error into the console, nor does a newcomer's", async ({
  browser,
}) => {
  const errors: string[] = [];
  const hear = (page: Awaited<ReturnType<typeof open>>) => {
    page.on("console", (said) => said.type() === "error" && errors.push(said.text()));
    page.on("response", (answer) => answer.status() === 404 && errors.push(answer.url()));
    return page;
  };
  const ann = await person("Ann");
  const page = hear(await signedIn(browser, ann));
  for (const [path, text] of [
    ["/", "Home"],
    ["/settings", "Settings"],
    ["/notifications", "Notifications"],
    ["/shop", "Shop"],
    [`/users/${ann.id}`, "Ann"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: text })).toBeVisible();
  }
  const asked = page.waitForResponse((answer) => answer.url().includes("/v1/users/me/export"));
  await page.goto("/settings");
  await asked;
  await expect(page.getByRole("button", { name: "Request an export" })).toBeVisible();

  const auth = `${process.env.HIBANA_AUTH}/identitytoolkit.googleapis.com/v1`;
  const email = `${ann.name}_new@example.com`;
  const made = await fetch(`${auth}/accounts:signUp?key=any`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password: "sparkler", returnSecureToken: true }),
  });
  const { idToken, refreshToken, localId } = (await made.json()) as Record<string, string>;
  const newcomer = {
    id: localId,
    name: "",
    email,
    token: idToken,
    refresh: refreshToken,
  } as Person;
  const first = hear(await signedIn(browser, newcomer));
  await first.goto("/");
  await expect(first.getByRole("textbox", { name: /Username/ })).toBeVisible();
  expect(errors).toEqual([]);
  await expect(call(newcomer, "GET", "/v1/users/me")).rejects.toThrow("404"); // as before
});
