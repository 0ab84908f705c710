import { expect, type Page } from "@playwright/test";
import { check } from "./look";
import { administrator, call, fresh, open, password, person, test, type Person } from "./people";

// The tests follow one another on an instance of their own, which is as it was after each.

const phone = { viewport: { width: 360, height: 740 } };
const dialog = (page: Page) => page.getByRole("dialog");
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

const change = (keeper: Person, patch: unknown) =>
  call(keeper, "PATCH", "/v1/admin/instance", patch);

let keeper: Person;
test.beforeAll(async () => void (keeper = await administrator()));
test.afterEach(() =>
  change(keeper, { termsNeeded: false, invitationNeeded: false, approvalNeeded: false }),
);

test("an administrator changes the rules one by one, and a visitor sees them, on a phone", async ({
  browser,
}) => {
  const page = await open(browser, keeper, "/admin/instance", phone);
  await expect(page.locator(".tabs [aria-current=page]")).toBeInViewport();
  await page.getByLabel("Name", { exact: true }).fill("Fireworks");
  await page.getByLabel("Description").fill("A place for **sparks**");
  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByLabel("Rule 1", { exact: true }).fill("Be kind");
  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByLabel("Rule 2", { exact: true }).fill("Shout");
  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByLabel("Rule 3", { exact: true }).fill("No spoilers");
  await page.getByRole("button", { name: "Remove rule 2" }).click();
  await page.getByLabel("Contact e-mail").fill("keeper@example.com");
  await page.getByLabel("Languages").fill("ja, en");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Visitors see it within a minute.")).toBeInViewport();
  await fits(page);

  const visitor = await fresh(browser, phone);
  await visitor.goto("/");
  await visitor.getByRole("link", { name: "About", exact: true }).click();
  await expect(visitor.getByRole("heading", { name: "Fireworks" })).toBeInViewport({ ratio: 1 });
  await expect(visitor.locator("strong", { hasText: "sparks" })).toBeInViewport();
  await expect(visitor.locator(".instancerules li")).toHaveText(["Be kind", "No spoilers"]);
  await expect(visitor.getByText("Be kind")).toBeInViewport({ ratio: 1 });
  await visitor.getByText("Japanese · English").scrollIntoViewIfNeeded();
  await expect(visitor.getByRole("link", { name: "keeper@example.com" })).toBeVisible();
  await expect(visitor.getByText("This server has no terms.")).toBeVisible();
  await fits(visitor);
});

test("new terms: a writer agrees in a window, and the tweet is posted; who does not, keeps the text", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const page = await open(browser, ann, "/", phone);
  const admin = await open(browser, keeper, "/admin/instance");
  await admin.getByLabel("Text").fill("Sparks only.\n\n* no smoke");
  await admin.getByRole("switch", { name: "Users must agree before they write" }).click();
  await admin.getByRole("button", { name: "Publish…" }).click();
  await expect(dialog(admin)).toContainText("Everybody has to agree to it before writing again");
  await dialog(admin).getByRole("button", { name: "Publish" }).click();
  await expect(admin.getByText("Terms published")).toBeVisible();

  await page.getByRole("button", { name: "Post", exact: true }).last().click();
  await dialog(page).getByRole("textbox").first().fill("A patient rocket");
  await dialog(page).getByRole("button", { name: "Post", exact: true }).click();
  const terms = page.getByRole("dialog", { name: "Agree to the terms to go on" });
  await expect(terms.getByText("Sparks only.")).toBeInViewport({ ratio: 1 });
  await expect(terms.getByRole("listitem")).toHaveText("no smoke");
  await expect(terms.getByRole("button", { name: "I agree" })).toBeInViewport({ ratio: 1 });
  await fits(page);
  await terms.getByRole("button", { name: "Not now" }).click();
  await expect(terms).toBeHidden();
  await expect(dialog(page).getByRole("alert")).toHaveText(
    "Agree to the terms of this server first.",
  );
  await expect(dialog(page).getByRole("textbox").first()).toHaveValue("A patient rocket");

  // Terms that change while they are read are shown anew.
  await dialog(page).getByRole("button", { name: "Post", exact: true }).click();
  await expect(terms.getByText("Sparks only.")).toBeVisible();
  await change(keeper, { terms: "Sparks and stars." });
  await terms.getByRole("button", { name: "I agree" }).click();
  await expect(terms.getByText("The terms have changed. Read them again.")).toBeInViewport();
  await expect(terms.getByText("Sparks and stars.")).toBeInViewport({ ratio: 1 });
  await terms.getByRole("button", { name: "I agree" }).click();
  await expect(dialog(page)).toHaveCount(0);
  const tweets = async () => (await call(ann, "GET", `/v1/users/${ann.id}/tweets`)).items;
  await expect.poll(async () => (await tweets()).length).toBe(1);
  expect((await tweets())[0].content).toBe("A patient rocket");
});

test("a link of an invitation leads to a sign-up with its code and the terms", async ({
  browser,
}) => {
  await change(keeper, { terms: "Sparks only.", termsNeeded: true, invitationNeeded: true });
  // The administrator signed up before, and writes no more than acts of administration here.
  const admin = await open(browser, keeper, "/admin/invitations", phone);
  await admin.getByLabel("Note for administrators").fill("For the book club");
  await admin.getByLabel("How many people may use it").fill("2");
  await admin.getByRole("button", { name: "Generate invite link" }).click();
  await expect(admin.getByRole("heading", { name: "For the book club" })).toBeVisible();
  await expect(admin.getByText(/^0 of 2 used, until .*\d/)).toBeVisible();
  await fits(admin);
  const link = await admin.getByLabel("Link", { exact: true }).first().inputValue();

  const page = await fresh(browser, phone);
  await page.goto(new URL(link).pathname + new URL(link).search);
  const name = `ben_${Date.now() % 1e8}`;
  await page.getByLabel("E-mail").fill(`${name}@example.com`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  const code = new URL(link).searchParams.get("invitation")!;
  await expect(page.getByLabel("Invitation code")).toHaveValue(code);
  await page.getByLabel("Username").fill(name);
  await page.getByRole("button", { name: "Read the terms" }).click();
  await expect(dialog(page).getByText("Sparks only.")).toBeInViewport();
  await page.keyboard.press("Escape");
  await page.getByLabel("I have read the terms of service and agree to them").check();
  await fits(page);
  await page.getByLabel("Invitation code").fill("WRONGWRONGWRONGX");
  await page.locator("button.main").click();
  await expect(page.getByText("This invitation is not valid, or not any more.")).toBeInViewport();
  await page.getByLabel("Invitation code").fill(code);
  await page.locator("button.main").click();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();

  await admin.reload();
  await expect(admin.getByText(/^1 of 2 used/)).toBeVisible();
  await admin.getByRole("button", { name: `Revoke the invitation ${code}` }).click();
  await expect(admin.getByText("There are no invitations.")).toBeVisible();
});

test("a sign-up waits, and shows what the administrator decides, on a phone and in Japanese", async ({
  browser,
}) => {
  await change(keeper, { approvalNeeded: true });
  const signUp = async (options = {}) => {
    const page = await fresh(browser, { ...phone, ...options });
    await page.goto("/sign-up");
    const name = `cat_${Date.now() % 1e8}`;
    await page.locator("input[type=email]").fill(`${name}@example.com`);
    await page.locator("input[type=password]").fill(password);
    await page.locator("form button.main").click();
    await page.locator("input[name=username]").fill(name);
    return { page, name };
  };
  const { page, name } = await signUp();
  await page.getByLabel("Why do you want to join?").fill("I make fireworks");
  await fits(page);
  await page.getByRole("button", { name: "Begin" }).click();
  const waits = page.getByRole("heading", { name: "Your sign-up is waiting for approval" });
  await expect(waits).toBeInViewport({ ratio: 1 });
  await fits(page);
  await page.reload();
  await expect(waits).toBeInViewport({ ratio: 1 });
  const admin = await open(browser, keeper, "/admin/signups", phone);
  const one = admin.getByRole("region", { name });
  await expect(one.getByText("I make fireworks")).toBeInViewport({ ratio: 1 });
  await fits(admin);
  await one.getByRole("button", { name: "Approve" }).click();
  await expect(admin.getByText(`@${name} has joined`)).toBeInViewport();
  await expect(one).toHaveCount(0);
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();

  const japanese = await signUp({ locale: "ja-JP" });
  await japanese.page.locator("button.main").click();
  await expect(
    japanese.page.getByRole("heading", { name: "登録は承認を待っています" }),
  ).toBeInViewport({
    ratio: 1,
  });
  await admin.reload();
  const other = admin.getByRole("region", { name: japanese.name });
  await other.getByLabel("Answer to the person").fill("Not this time");
  await other.getByRole("button", { name: "Refuse" }).click();
  await expect(other).toHaveCount(0);
  await japanese.page.locator("button.main").click();
  await expect(japanese.page.getByText("Not this time")).toBeInViewport({ ratio: 1 });
  await fits(japanese.page);
});

test("nobody signs up from a blocked e-mail domain, until it is unblocked", async ({ browser }) => {
  const admin = await open(browser, keeper, "/admin/signups", phone);
  const domain = `spam${Date.now() % 1e8}.example`;
  await admin.getByLabel("Domain or network").fill("not a domain");
  await admin.getByRole("button", { name: "Block", exact: true }).click();
  await expect(admin.getByRole("alert")).toHaveText(/^Type a domain, as example.com/);
  await admin.getByLabel("Domain or network").fill(domain.toUpperCase());
  await admin.getByLabel("Comment for administrators").fill("Only spam");
  await admin.getByRole("button", { name: "Block", exact: true }).click();
  const one = admin.getByRole("region", { name: domain });
  await expect(one.getByText("Only spam")).toBeVisible();
  await one.scrollIntoViewIfNeeded();
  await expect(one.getByText("Refuse the sign-up")).toBeInViewport({ ratio: 1 });
  await fits(admin);

  const page = await fresh(browser, phone);
  await page.goto("/sign-up");
  await page.getByLabel("E-mail").fill(`cat@mail.${domain}`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await page.getByLabel("Username").fill(`cat_${Date.now() % 1e8}`);
  await page.locator("button.main").click();
  await expect(
    page.getByText("Nobody can sign up with an e-mail address of this provider."),
  ).toBeInViewport({ ratio: 1 });
  await admin.reload(); // what tells of the block would cover the button
  await one.getByRole("button", { name: `Unblock ${domain}` }).click();
  await expect(one).toHaveCount(0);
  await page.locator("button.main").click();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
});

test("an administrator finds an account by e-mail and by name, and who blocks it; others do not", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await call(ben, "PUT", `/v1/users/${ann.id}/block`);
  const page = await open(browser, keeper, "/admin/users", phone);
  await page.getByLabel("E-mail address or name").fill(ann.email.toUpperCase());
  await page.getByLabel("Reason for the search").fill("She asked for help");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const found = page.getByRole("region", { name: ann.email });
  await expect(found.getByText("Not restricted")).toBeVisible();
  await found.getByRole("link", { name: "Details of Ann" }).click();
  await expect(page.getByRole("heading", { name: "Blocked by" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: ben.name })).toBeVisible();
  await fits(page);
  await page.getByRole("main").getByRole("link", { name: "Accounts" }).last().click();
  await page.getByLabel("E-mail address or name").fill("nobody@example.com");
  await page.getByLabel("Reason for the search").fill("Nobody knows");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByText("This account does not exist.")).toBeInViewport();
  await page.getByLabel("E-mail address or name").fill(ben.name);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: ben.name })).toBeVisible();

  const other = await open(browser, ann, "/admin/instance");
  await expect(other.getByText("Save", { exact: true })).toHaveCount(0);
  await expect(other.getByRole("main").getByRole("heading").first()).toBeVisible();
});

test("the pages in every look, in Japanese, at 200 % and from right to left", async ({
  browser,
}) => {
  const long = "Rules for everybody who writes here, however long they are. ".repeat(5).trim();
  await change(keeper, {
    name: "Fireworks",
    rules: ["Be kind", long],
    terms: `# Terms\n\n${long}`,
  });
  await call(keeper, "POST", "/v1/admin/invitations", { note: "For the book club", maxUses: 3 });
  await call(keeper, "PUT", "/v1/admin/sign-up-blocks?of=192.0.2.0/24", {
    comment: long.slice(0, 100),
    severity: "approval",
    days: 3,
  });
  const ben = await person("Ben");
  await call(ben, "PUT", `/v1/users/${keeper.id}/block`);
  const paths = {
    about: "/about",
    "admin-instance": "/admin/instance",
    "admin-invitations": "/admin/invitations",
    "admin-accounts": "/admin/users",
    "admin-signups": "/admin/signups",
    "admin-account": `/admin/users/${keeper.id}`,
  };
  for (const locale of ["en-US", "ja-JP"]) {
    const page = await open(browser, keeper, "/", { locale });
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(path);
      await expect(page.locator("main .settings h2").first()).toBeVisible();
      await expect(page.locator(".skeleton")).toHaveCount(0);
      if (locale === "en-US") await check(page, name);
      for (const [look, width, height, dir] of [
        ["double", 640, 450, "ltr"],
        ["rtl", 360, 740, "rtl"],
        ["rtl-desktop", 1280, 900, "rtl"],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
        await fits(page);
        await page.screenshot({
          path: `screenshots/${name}-${locale}-${look}.png`,
          animations: "disabled",
        });
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    }
  }
});
