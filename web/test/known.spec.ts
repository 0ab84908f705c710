import { expect, type Browser } from "@playwright/test";
import { atHome, follows, fresh, person, post, test, type Person } from "./people";

const api = process.env.HIBANA_URL!;
const auth = `${process.env.HIBANA_AUTH}/identitytoolkit.googleapis.com/v1`;

// returning makes a page of somebody whose ID token ends at a time.
const returning = (browser: Browser, who: Person, expirationTime: number) => {
  const account = {
    uid: who.id,
    email: who.email,
    emailVerified: false,
    isAnonymous: false,
    providerData: [],
    apiKey: "any",
    appName: "[DEFAULT]",
    stsTokenManager: {
      // One that has ended is no token that the API takes.
      accessToken: expirationTime > Date.now() ? who.token : "ended",
      refreshToken: who.refresh,
      expirationTime,
    },
  };
  const localStorage = [
    { name: "firebase:authUser:any:[DEFAULT]", value: JSON.stringify(account) },
  ];
  return fresh(browser, {
    storageState: { cookies: [], origins: [{ origin: api, localStorage }] },
  });
};

for (const [state, ends] of [
  ["holds", 3_600_000],
  ["has ended", -1],
] as const)
  test(`a page begins without Firebase Auth where the kept token ${state}`, async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    await follows(ann, ben);
    await atHome(ann, await post(ben, "Seen before Firebase Auth"));
    const page = await returning(browser, ann, Date.now() + ends);
    await page.route("**/assets/auth-*.js", (route) => route.abort());
    await page.goto("/");
    await expect(page.getByText("Seen before Firebase Auth")).toBeVisible();
  });

test("a session that ended elsewhere ends when Firebase Auth comes", async ({ browser }) => {
  const ann = await person("Ann");
  const page = await returning(browser, ann, Date.now() + 3_600_000);
  const answer = await fetch(`${auth}/accounts:delete?key=any`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ idToken: ann.token }),
  });
  expect(answer.ok, await answer.text()).toBe(true);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});
