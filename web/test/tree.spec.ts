import { expect } from "@playwright/test";
import { atHome, call, follows, fresh, open, person, post, test, until } from "./people";

// What a screen reader is told: roles, names and states, in their order. A line that is missing here
// may be in the page; one that is here may not be missing there.

test("a screen reader's tree of home, a thread, the form to write in, and notifications", async ({
  browser,
}) => {
  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ann, ben);
  const tweet = await post(ben, "A burst over the river #hibana", {
    poll: { options: ["gold", "blue"], minutes: 60 },
  });
  const reply = await post(ann, "Saw it!", { replyTo: tweet.id });
  await post(ben, "Quoting", { quoteOf: reply.id, summary: "Noise" });
  await call(ben, "PUT", `/v1/tweets/${reply.id}/like`);
  await atHome(ann, tweet);
  await until(
    async () => (await call(ann, "GET", "/v1/notifications")).items.length >= 2, // a like, a quote
  );
  const page = await open(browser, ann);
  await expect(page.locator("body")).toMatchAriaSnapshot(`
    - link "Skip to the content"
    - banner:
      - link /Hibana/
      - navigation "Pages":
        - link "Home"
        - link "Explore"
        - link /Notifications/
        - link "Messages"
        - link "Profile"
        - link "Settings"
      - button "Post"
    - main:
      - heading "Home" [level=1]
      - button "What would you like to say?"
      - feed "Home":
        - article "Tweet by Ben":
          - link /Ben/
          - paragraph:
            - text: Noise
            - button "Show"
        - article "Tweet by Ann":
          - paragraph:
            - link /Replying to @ben/
          - paragraph: Saw it!
        - article "Tweet by Ben":
          - link /Ben/
          - link /s ago/:
            - time
          - paragraph:
            - text: A burst over the river
            - link "#hibana"
          - list:
            - listitem:
              - button "gold"
            - listitem:
              - button "blue"
          - button "Reply, 1 reply"
          - button "Share, 0 shares"
          - button "Quote, 0 quotes"
          - button "Like, 0 likes"
          - button "Bookmark"
          - button "More"
  `);
  const article = page.getByRole("article", { name: "Tweet by Ben" }).last();
  await article.getByRole("button", { name: /^Like/ }).click();
  await expect(article).toMatchAriaSnapshot(`
    - article:
      - button "Unlike, 1 like" [pressed]
  `);
  await article.getByRole("button", { name: "More", exact: true }).click();
  await expect(page.getByRole("menu")).toMatchAriaSnapshot(`
    - menu "More":
      - menuitem "Copy the link"
      - menuitem "Report"
  `);
  await page.keyboard.press("Escape");

  await page.goto(`/tweets/${tweet.id}`);
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading /Tweet/ [level=1]
      - article "Tweet by Ben":
        - list:
          - listitem:
            - button "gold"
          - listitem:
            - button "blue"
        - button "1 like"
        - button "Unlike, 1 like" [pressed]
      - button /Reply to @ben/
      - region "Replies":
        - article "Tweet by Ann":
          - paragraph: Saw it!
  `);

  await page.goto("/explore");
  await page.getByRole("button", { name: "Post", exact: true }).first().click();
  await expect(page.getByRole("dialog")).toMatchAriaSnapshot(`
    - dialog "New tweet":
      - heading "New tweet" [level=2]
      - button "Close"
      - textbox "New tweet"
      - group "Audience and language":
        - combobox "Who may see it":
          - option "Everybody" [selected]
        - combobox "Who may reply":
          - option "Everybody" [selected]
        - combobox "Language"
      - button "Add pictures or a video"
      - button "Emoji"
      - button "Preview"
      - button "Content warning"
      - button "Poll"
      - img "0 characters. Lists show the first 280."
      - button "Keep as a draft" [disabled]
      - button "Post" [disabled]
  `);
  await page.keyboard.press("Escape");

  await page.goto("/notifications");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Notifications" [level=1]
      - button "All"
      - button "Mentions"
      - list:
        - listitem:
          - article:
            - link /Ben/
            - paragraph:
              - link /^Ben /
              - time
  `);
});

test("a screen reader's tree of the door, a conversation, the cart and the settings", async ({
  browser,
}) => {
  const visitor = await fresh(browser);
  await visitor.goto("/");
  await visitor
    .getByRole("button", { name: /Sign in|Already have/ })
    .first()
    .waitFor();
  await expect(visitor.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading [level=1]
      - textbox "E-mail"
      - textbox "Password"
  `);

  const [ann, ben] = [await person("Ann"), await person("Ben")];
  await follows(ben, ann);
  const talk = await call(ann, "POST", "/v1/conversations", {
    memberIds: [ben.id],
    text: "Meet me at the bridge",
  });
  const page = await open(browser, ben, `/messages/${talk.id}`);
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Ann" [level=1]
      - log "Messages with Ann":
        - region:
          - heading [level=2]
          - article /Ann, /:
            - paragraph: Meet me at the bridge
            - button /^More/
      - textbox "Write a message"
      - button "Send" [disabled]
  `);

  await page.goto("/cart");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Cart" [level=1]
      - heading "Your cart is empty" [level=2]
      - link "Shop"
  `);

  await page.goto("/settings");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Settings" [level=1]
      - heading "Profile" [level=2]
      - textbox "Name"
      - textbox "Username"
      - switch "I approve who follows me"
      - button "Save"
      - heading "Profile fields" [level=2]
      - heading "Appearance" [level=2]
      - combobox "Language":
        - option "English" [selected]
        - option "日本語"
      - heading "Notify me of" [level=2]
      - switch "New followers" [checked]
  `);
});
