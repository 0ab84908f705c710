import { expect } from "@playwright/test";
import { fileURLToPath } from "node:url";
import { build, type Rollup } from "vite";
import { atHome, follows, person, post, signedIn, test, tweetsOf } from "./people";

const server = process.env.HIBANA_URL!;
const phone = { viewport: { width: 360, height: 740 } };
// An origin that nobody serves, in a secure context: PKCE needs SHA-256.
const app = "https://sparks.example";

/** The script of the app, with masto.js in it. */
async function script(): Promise<string> {
  const root = fileURLToPath(new URL("../../tests/e2e/testdata/masto", import.meta.url));
  const built = (await build({
    configFile: false,
    root,
    logLevel: "warn",
    build: { write: false, lib: { entry: "page.mjs", formats: ["es"] } },
  })) as Rollup.RollupOutput[];
  return built[0]!.output[0].code;
}

test("a person lets a page of masto.js in, posts there, and takes the token back", async ({
  browser,
}) => {
  const code = await script();
  const ann = await person("Ann");
  const bob = await person("Bob");
  await follows(ann, bob);
  const early = await post(bob, "Bob was here");
  await atHome(ann, early);

  const client = await signedIn(browser, ann, phone);
  const page = await client.context().newPage();
  // The API is on this machine, which a page from elsewhere may not ask otherwise.
  await client.context().grantPermissions(["local-network-access"], { origin: app });
  await page.route(`${app}/**`, (route) =>
    route.fulfill(
      new URL(route.request().url()).pathname === "/app.js"
        ? { contentType: "text/javascript", body: code }
        : {
            contentType: "text/html",
            body: `<!doctype html><title>Sparks</title><body><script type="module" src="/app.js"></script>`,
          },
    ),
  );
  await page.goto(`${app}/?server=${encodeURIComponent(server)}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Sparks by masto.js")).toBeInViewport();
  await expect(page.getByText("sparks.example", { exact: true })).toBeInViewport();
  await page.getByRole("button", { name: "Let in" }).click();
  await expect(page.getByRole("status")).toHaveText("Come in: done");

  await page.getByLabel("Text").fill("Posted by an *app* & seen");
  await page.getByRole("button", { name: "Post" }).click();
  await expect(page.getByRole("status")).toHaveText("Post: done");
  const own = (await tweetsOf(ann))[0];
  await atHome(ann, own);
  await page.getByRole("button", { name: "Home" }).click();
  await expect(page.getByRole("listitem")).toHaveText([
    `@${ann.name}: Posted by an *app* & seen`,
    `@${bob.name}: Bob was here`,
  ]);

  await client.bringToFront();
  await client.goto("/");
  await expect(client.getByText("Posted by an *app* & seen")).toBeInViewport();
  await client.goto("/settings");
  await client.getByRole("link", { name: /^Apps/ }).click();
  await client.getByRole("button", { name: "Remove Sparks by masto.js" }).click();
  await expect(client.getByText("You have let no app in.")).toBeInViewport();

  await page.bringToFront();
  await page.getByRole("button", { name: "Home" }).click();
  await expect(page.getByRole("status")).toHaveText(/^Home: 401 /);
});
