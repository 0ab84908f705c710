import { expect, type Page, type Route } from "@playwright/test";
import { check, violations } from "./look";
import { administrator, call, open, person, post, test, until } from "./people";
import axe from "axe-core";

const host = "some.long.subdomain.of.an.example.org";
const username = `averyveryverylongname_that_goes_on@${host}`;
const handle = `@${username}`;
const remote = { host, url: `https://${host}/@averyveryverylongname_that_goes_on` };

/** What differs in the answer of the API if its server federates. */
const changed = (page: Page, path: string | RegExp, change: (is: any) => unknown) =>
  page.route(path, async (route: Route) => {
    if (route.request().method() !== "GET") return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  });

const narrow = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    "the page is wider than the window",
  ).toBeLessThanOrEqual(0);

test("fediverse: a person and a post of another server say where they are from", async ({
  browser,
}) => {
  const [ann, bob] = [await person("Ann"), await person("Bob")];
  const tweet = await post(bob, "From far away");
  const reply = await post(ann, "And from here", { replyTo: tweet.id });
  const author = (is: any) => (is.authorId === bob.id ? { ...is.author, username } : is.author);
  const page = await open(browser, ann, "/", { viewport: { width: 360, height: 740 } });
  await changed(page, new RegExp(`/v1/users/${bob.id}\\?`), (is) => ({
    ...is,
    username,
    remote,
    movedTo: `https://${host}/users/new`,
    movedToId: ann.id,
  }));
  await changed(page, new RegExp(`/v1/tweets/${tweet.id}\\?`), (is) => ({
    ...is,
    author: author(is),
    remote,
  }));
  await changed(page, /\/v1\/(timeline|users\/[^/]+\/tweets)\?/, (is) => ({
    ...is,
    items: is.items.map((one: any) => ({
      ...one,
      author: one.author && author(one),
      ...(one.inReplyTo && { inReplyTo: { ...one.inReplyTo, username } }),
    })),
  }));
  await page.goto(`/users/${bob.id}`);
  const original = page.getByRole("link", { name: `Open original page (${host})` });
  await expect(original).toHaveAttribute("href", remote.url);
  await expect(page.locator(".profile").getByText(handle)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("link", { name: "Bob has moved to @" })).toHaveAttribute(
    "href",
    `/@${ann.name}`,
  );
  await page
    .getByRole("button", { name: /^More about|More/ })
    .first()
    .click();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  await expect(page.getByRole("menuitem", { name: /message/i })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await narrow(page);
  await page.evaluate(axe.source);
  expect(await violations(page)).toEqual([]);

  await page.goto(`/tweets/${tweet.id}`);
  await expect(original).toHaveAttribute("href", remote.url);
  await expect(original).toBeInViewport({ ratio: 1 });
  await narrow(page);
  // A line that names whom it answers, and a short name beside a long handle.
  await until(async () =>
    (await call(ann, "GET", "/v1/timeline")).items.some((one: any) => one.id === reply.id),
  );
  await page.goto("/");
  await expect(page.getByText(`Replying to ${handle}`)).toBeVisible();
  await narrow(page);
  await page.goto(`/users/${bob.id}`);
  const name = page.locator(".tweet header strong");
  await expect(name.first()).toBeVisible();
  expect(await name.first().evaluate((is) => is.scrollWidth - is.clientWidth)).toBe(0);
  await page.evaluate(axe.source);
  expect(await violations(page)).toEqual([]);
});

test("fediverse: an administrator adds and removes a domain, and an account moves", async ({
  browser,
}) => {
  const keeper = await administrator();
  const domain = `averyveryverylongname.${keeper.name.replace("_", "").replace("_", "")}.${host}`;
  const page = await open(browser, keeper, "/admin/fediverse", {
    viewport: { width: 360, height: 740 },
  });
  await page.getByLabel("Domain", { exact: true }).fill(domain);
  await page.getByLabel("Comment for everybody").fill("Sends spam");
  await page.getByRole("button", { name: "Save" }).click();
  const rule = page.getByRole("region", { name: domain });
  await expect(rule).toContainText("Sends spam");
  expect((await rule.boundingBox())!.x, "the rule has no margin").toBeGreaterThan(0);
  await check(page, "admin-fediverse");
  await rule.getByRole("button", { name: "Remove" }).click();
  await expect(rule).toHaveCount(0);
  const { items } = await call(keeper, "GET", "/v1/admin/fediverse-domains");
  expect(items.map((one: any) => one.domain)).not.toContain(domain);

  // Where nobody of other servers is, nobody moves there.
  await page.goto("/settings/moving");
  await expect(page.getByText("not connected to other servers")).toBeVisible();
  await changed(page, /\/v1\/instance/, (is) => ({ ...is, federation: true }));
  await page.goto("/settings");
  await page.getByRole("link", { name: "Moving" }).click();
  await expect(page.getByText("There is no other account.")).toBeVisible();
  await page.getByLabel("New account").fill("@nobody@example.org");
  const now = page.getByRole("button", { name: "Move away" });
  await expect(now).toBeDisabled();
  await page.getByLabel("Enter your username to confirm").fill(keeper.name);
  await now.click();
  await expect(page.getByRole("alert")).toContainText("Nobody was found under this name");
  await check(page, "moving");
});
