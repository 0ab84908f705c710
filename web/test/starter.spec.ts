import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { follows, password, person, post, test, type Person } from "./people";

// hibana dev serves the page from its source, and the API does not have it.
let server: ChildProcess;
let address: string;

test.beforeAll(async () => {
  const api = process.env.HIBANA_URL!;
  const project: any = await (await fetch(`${api}/__/firebase/init.json`)).json();
  const port = await free();
  address = `http://127.0.0.1:${port}`;
  server = spawn(process.execPath, ["node_modules/vite/bin/vite.js"], {
    env: {
      ...process.env,
      HIBANA_WEB_PORT: String(port),
      HIBANA_API: api,
      HIBANA_PROJECT: project.projectId,
      HIBANA_AUTH: project.authEmulator,
      HIBANA_FIRESTORE: project.firestoreEmulator,
    },
    stdio: "inherit",
  });
  await expect(async () => {
    expect((await fetch(`${address}/starter`)).status).toBe(200);
  }).toPass();
});

test.afterAll(() => void server.kill());

test("the starter signs up, posts, likes, and listens", async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${address}/starter`);
  const name = `star${Date.now() % 1e9}`;
  await page.getByLabel("E-mail").fill(`${name}@example.com`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("status")).toContainText("auth/user-not-found");

  await page.getByLabel("Name, of a new account").fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("New tweet").fill("Plain sparks");
  await page.getByRole("button", { name: "Post" }).click();
  const home = page.getByRole("list", { name: "Home" });
  const mine = home.getByRole("listitem").filter({ hasText: `${name}: Plain sparks` });
  await expect(mine).toBeVisible();
  await mine.getByRole("button", { name: "Like (0)" }).click();
  await expect(mine.getByRole("button", { name: "Unlike (1)" })).toBeVisible();

  // Again, as the account that there is now: home has the tweet once, with its like.
  await page.reload();
  await expect(mine.getByRole("button", { name: "Unlike (1)" })).toBeVisible();
  await expect(home.getByRole("listitem")).toHaveCount(1);

  // What the account posts elsewhere comes without a reload.
  const email = `${name}@example.com`;
  const found: any = await (
    await fetch(
      `${process.env.HIBANA_AUTH}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`,
      {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email, password, returnSecureToken: true }),
      },
    )
  ).json();
  await post({ id: found.localId, token: found.idToken } as Person, "Sparks from elsewhere");
  await expect(home.getByText("Sparks from elsewhere")).toBeVisible();

  const me: any = await (await fetch(`${process.env.HIBANA_URL}/v1/usernames/${name}`)).json();
  const ben = await person("Ben");
  await follows(ben, { id: me.id } as Person);
  await expect(page.getByText("Unread notifications: 1")).toBeVisible();
  await post(ben, `Hello @${name}`);
  await expect(page.getByText("Unread notifications: 2")).toBeVisible();
});

/** A port that nothing listens on. */
function free(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
