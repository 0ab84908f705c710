import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { createHmac } from "node:crypto";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { check } from "./look";
import { administrator, call, open, person, test } from "./people";

const phone = { viewport: { width: 360, height: 740 } };
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);

/** A receiver of webhooks on this machine, which keeps what it got. */
class Receiver {
  got: { headers: IncomingHttpHeaders; body: string }[] = [];
  answers = 204;
  private server!: Server;
  url = "";

  async listen() {
    this.server = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => (body += String(part)));
      request.on("end", () => {
        this.got.push({ headers: request.headers, body });
        response.writeHead(this.answers).end();
      });
    });
    await new Promise<void>((ready) => this.server.listen(0, "127.0.0.1", ready));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Does what the clock does each minute. */
const tick = () => call(undefined, "POST", "/test/webhooks");

let receiver: Receiver;
test.beforeEach(async () => {
  receiver = new Receiver();
  await receiver.listen();
});
test.afterEach(() => receiver.close());

test("an administrator adds a webhook, tries it, switches it off and removes it, on a phone", async ({
  browser,
}) => {
  const keeper = await administrator();
  const page = await open(browser, keeper, "/admin/webhooks", phone);
  await expect(page.locator(".tabs [aria-current=page]")).toBeInViewport();
  await page.getByLabel("Address").fill("http://example.com/hooks");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText(/begins with https/);
  await page.getByLabel("Address").fill(receiver.url);
  const name = `The bell ${Date.now()}`;
  await page.getByLabel("What it is for").fill(name);
  for (const event of ["A new user", "A sign-up waits", "A new appeal", "An account was"])
    await page.getByLabel(event).uncheck();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const secret = page.getByLabel("Secret of the signatures").getByRole("textbox");
  await expect(secret).toHaveValue(/^whsec_/);
  const key = Buffer.from((await secret.inputValue()).slice("whsec_".length), "base64");
  await fits(page);
  const one = page.getByRole("region", { name });
  await expect(one.getByText("Nothing was sent so far")).toBeVisible();
  await expect(one.getByText("A new report")).toBeVisible();
  await page.reload();
  await expect(one).toBeVisible();
  await expect(secret).toHaveCount(0); // nobody sees it again

  await one.getByRole("button", { name: `Try it: ${name}` }).click();
  await expect(page.getByText("A request is on its way")).toBeVisible();
  await tick();
  await expect(one.getByText(/The last request arrived \(204\)/)).toBeVisible();
  // Reports of other tests arrive, too.
  const pings = receiver.got.filter((is) => JSON.parse(is.body).type === "ping");
  expect(pings).toHaveLength(1);
  const { headers, body } = pings[0]!;
  expect(JSON.parse(body)).toMatchObject({ type: "ping", data: {} });
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  expect(headers["webhook-signature"]).toBe(
    `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
  );

  // A report is told, without its text.
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  const report = { userId: ben.id, reason: "spam", text: "He sells rockets" };
  await call(ann, "POST", "/v1/reports", report);
  await tick();
  const told = receiver.got
    .map((is) => JSON.parse(is.body))
    .filter((is) => is.data.userId === ben.id);
  expect(told.map((is) => is.type)).toEqual(["report.created"]);
  expect(JSON.stringify(receiver.got)).not.toContain("rockets");

  receiver.answers = 500;
  await page.reload(); // what tells of the act would cover the button
  await one.getByRole("button", { name: `Try it: ${name}` }).click();
  await expect(page.getByText("A request is on its way")).toBeVisible();
  await tick();
  await expect(one.getByText(/failed, .*500 Internal Server Error/)).toBeVisible();
  await expect(one.getByText(/It has failed since/)).toBeVisible();
  await fits(page);

  await page.reload();
  await one.getByRole("button", { name: `Switch off: ${name}` }).click();
  await expect(one.getByText(/^Off/)).toBeVisible();
  await expect(one.getByRole("button", { name: `Try it: ${name}` })).toHaveCount(0);
  await one.getByRole("button", { name: `New secret: ${name}` }).click();
  await expect(secret).toHaveValue(/^whsec_/);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await expect(secret).toHaveCount(0);
  await page.reload();
  await one.getByRole("button", { name: `Remove: ${name}` }).click();
  await expect(one).toHaveCount(0);
});

test("the page of webhooks in every look, and in Japanese", async ({ browser }) => {
  const keeper = await administrator();
  const name = `The lamp ${Date.now()}`;
  const made = await call(keeper, "POST", "/v1/admin/webhooks", {
    description: name,
    url: `${receiver.url}/${"a-long-path-".repeat(20)}`,
    events: ["report.created"],
  });
  receiver.answers = 500;
  await call(keeper, "POST", `/v1/admin/webhooks/${made.id}/ping`);
  const status = async () =>
    (await call(keeper, "GET", "/v1/admin/webhooks")).items.find(
      (one: { id: string }) => one.id === made.id,
    ).status;
  await tick();
  await expect.poll(status).toBe(500); // the tick of another test may send it
  const page = await open(browser, keeper, "/admin/webhooks", phone);
  const one = page.getByRole("region", { name }); // another test has webhooks that fail, too
  await expect(one.getByText(/500 Internal Server Error/)).toBeVisible();
  await check(page, "webhooks");
  const japanese = await open(browser, keeper, "/admin/webhooks", { ...phone, locale: "ja-JP" });
  await expect(japanese.getByText("新しいWebhook")).toBeVisible();
  await expect(japanese.getByText("新しい通報", { exact: true }).last()).toBeVisible();
  await fits(japanese);
  await call(keeper, "DELETE", `/v1/admin/webhooks/${made.id}`);
});
