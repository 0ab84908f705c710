import { expect, type Browser, type Page } from "@playwright/test";
import { call, open, person, post, signedIn, test, type Person } from "./people";

/** Opens a page in which a script took something away before all others ran. */
async function without(
  browser: Browser,
  who: Person,
  take: () => void,
  path: string,
): Promise<Page> {
  const page = await signedIn(browser, who);
  await page.addInitScript(take);
  await page.goto(path);
  return page;
}

const height = async (page: Page, name: string) =>
  (await page.getByRole("textbox", { name }).boundingBox())!.height;

/** A field grows with its text, and is small again without it. */
async function grows(page: Page, name: string): Promise<void> {
  const field = page.getByRole("textbox", { name });
  await expect(field).toBeVisible();
  const before = await height(page, name);
  await field.fill(Array.from({ length: 8 }, (_, n) => `Line ${n}`).join("\n"));
  await expect.poll(() => height(page, name)).toBeGreaterThan(before + 30);
  await field.fill("");
  await expect.poll(() => height(page, name)).toBeLessThan(before + 5);
}

test(
  "what somebody writes has room: a field grows with its text",
  { tag: "@firefox" },
  async ({ browser }) => {
    const [ann, ben] = [await person("Ann"), await person("Ben")];
    const talk = await call(ann, "POST", "/v1/conversations", {
      memberIds: [ben.id],
      text: "Hello",
    });
    const page = await open(browser, ann);
    await page.keyboard.press("c");
    await grows(page, "New tweet");
    await page.goto(`/messages/${talk.id}`);
    await grows(page, "Write a message");
  },
);

test("without field-sizing a field grows all the same", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const talk = await call(ann, "POST", "/v1/conversations", { memberIds: [ben.id], text: "Hello" });
  const page = await without(
    browser,
    ann,
    () => {
      const supports: (...of: string[]) => boolean = CSS.supports.bind(CSS);
      CSS.supports = (...of: string[]) => of[0] !== "field-sizing" && supports(...of);
      addEventListener("DOMContentLoaded", () => {
        const style = document.createElement("style");
        style.textContent = "textarea { field-sizing: fixed !important }";
        document.head.append(style);
      });
    },
    `/messages/${talk.id}`,
  );
  await grows(page, "Write a message");
});

test("without the clipboard of today a link is copied by the old command, or a sentence says no", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const tweet = await post(ann, "A link to copy");
  const page = await without(
    browser,
    ann,
    () => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
      const heard = window as unknown as { copied: string };
      document.addEventListener("copy", () => (heard.copied = String(getSelection())));
    },
    `/tweets/${tweet.id}`,
  );
  const copy = async () => {
    await page.getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menuitem", { name: "Copy the link" }).click();
  };
  await copy();
  await expect(page.getByText("Link copied")).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { copied: string }).copied)).toContain(
    `/@${ann.name}/${tweet.id}`,
  );
  await page.evaluate(() => (document.execCommand = () => false));
  await copy();
  await expect(page.getByText("The browser did not let this page copy.")).toBeVisible();
});

test("where a browser hears no push messages, the settings say how an iPhone does", async ({
  browser,
}) => {
  const ann = await person("Ann");
  const able = push(await open(browser, ann, "/settings"));
  await expect(able.choice).toBeVisible();
  await expect(able.sentence).toBeHidden();
  const take = () => delete (window as { PushManager?: unknown }).PushManager;
  const lacking = push(await without(browser, ann, take, "/settings"));
  await expect(lacking.sentence).toBeVisible();
  await expect(lacking.choice).toBeHidden();
});

const push = (of: Page) => ({
  choice: of.getByText("In this browser, also when the page is closed"),
  sentence: of.getByText("add the page to the Home Screen", { exact: false }),
});
