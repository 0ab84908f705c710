import { expect } from "@playwright/test";
import { call, open, person, post, test } from "./people";

test("a list asks once for all polls and quotes on the screen", async ({ browser }) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) {
    const poll = { options: ["gold", "blue"], minutes: 60 };
    ids.push((await post(ben, `Which one, ${n}?`, { poll })).id);
    await post(ben, `I quote ${n}`, { quoteOf: (await post(ann, `Quoted ${n}`)).id });
  }
  await call(ann, "PUT", `/v1/tweets/${ids[3]}/vote`, { option: 2 });

  const page = await open(browser, ann, "/", { viewport: { width: 1280, height: 4000 } });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" && pathname.startsWith("/v1/tweets")) asked.push(request.url());
  });
  await page.goto(`/users/${ben.id}`);
  const of = (text: string) => page.getByRole("article").filter({ hasText: text });
  for (let n = 0; n < 6; n++) {
    await expect(of(`I quote ${n}`).locator(".quoted")).toContainText(`Quoted ${n}`);
    await expect(of(`Which one, ${n}?`).getByRole("button", { name: "gold" })).toHaveCount(
      n === 3 ? 0 : 1,
    );
  }
  await expect(of("Which one, 3?").getByLabel("Your vote")).toBeInViewport();
  expect(asked.map((url) => new URL(url).pathname)).toEqual(["/v1/tweets:batchGet"]);

  // A vote asks for its poll alone, and the page of a tweet brings its poll.
  asked.length = 0;
  await of("Which one, 5?").getByRole("button", { name: "blue" }).click();
  await expect(of("Which one, 5?").locator(".poll")).toContainText("1 vote");
  await expect(of("Which one, 5?").locator(".poll")).toContainText("100%");
  expect(new Set(asked.map((url) => new URL(url).searchParams.get("ids")))).toEqual(
    new Set([ids[5]]),
  );
  asked.length = 0;
  await page.goto(`/tweets/${ids[2]}`);
  await expect(page.getByRole("button", { name: "gold" })).toBeVisible();
  expect(asked.filter((url) => url.includes("batchGet"))).toEqual([]);
});
