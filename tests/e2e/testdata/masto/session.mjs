// A whole session of an app by masto.js: ann uses it, and bob is there with the same app.
import assert from "node:assert/strict";
import { createStreamingAPIClient } from "masto";
import { letIn, soon, until } from "./app.mjs";
import { ids, pagesOf, refused, same } from "./asserts.mjs";

const [annToken, bobToken] = process.env.HIBANA_TOKENS.split(",");
const ann = await letIn(annToken, "read write follow push");
const bob = await letIn(bobToken, "read write follow");
const { v1, v2 } = ann;

// Who and where.
same(ann.token.tokenType, "Bearer");
same(ann.token.scope, "read write follow push");
same((await v1.apps.verifyCredentials()).name, "Sparks");
const instance = await v2.instance.fetch();
assert.match(instance.version, /^4\./);
assert.ok(instance.configuration.statuses.maxCharacters >= 280);
const about = await v1.instance.fetch();
same(about.urls.streamingApi, instance.configuration.urls.streaming);
const me = await v1.accounts.verifyCredentials();
const him = await bob.v1.accounts.verifyCredentials();
same([me.username, me.displayName, me.source.privacy], ["ann_masto", "ANN_MASTO", "public"]);
const renamed = await v1.accounts.updateCredentials({ displayName: "Ann", note: "Sparks & more" });
same([renamed.displayName, renamed.source.note], ["Ann", "Sparks & more"]);
same((await v1.accounts.lookup({ acct: "bob_masto" })).id, him.id);

// Follows and relationships.
const followed = await v1.accounts.$select(him.id).follow();
same([followed.following, followed.requested], [true, false]);
same((await v1.accounts.$select(him.id).unfollow()).following, false);
await v1.accounts.$select(him.id).follow();
await bob.v1.accounts.$select(me.id).follow();
const between = await until("both follow", async () => {
  const [is] = await v1.accounts.relationships.fetch({ id: [him.id] });
  return is.following && is.followedBy && is;
});
same([between.id, between.blocking, between.muting], [him.id, false, false]);
same(ids(await v1.accounts.$select(me.id).following.list()), [him.id]);

// A post, once for one key.
const once = { requestInit: { headers: { "Idempotency-Key": "one key" } } };
const text = "Sparks fly & *shine* #spark @bob_masto";
const post = await v1.statuses.create({ status: text, visibility: "public", language: "en" }, once);
same((await v1.statuses.create({ status: text, visibility: "public", language: "en" }, once)).id, post.id);
same([post.account.id, post.visibility, post.language], [me.id, "public", "en"]);
same([post.tags.map(({ name }) => name), post.mentions.map(({ id }) => id)], [["spark"], [him.id]]);
assert.match(post.content, /^<p>Sparks fly &amp; \*shine\* </);
same((await v1.statuses.$select(post.id).source.fetch()).text, text);

// A picture with its description, and a poll.
const file = new Blob([Buffer.from(process.env.HIBANA_PICTURE, "base64")], { type: "image/png" });
const media = await v2.media.create({ file, description: "A line" });
same([media.type, media.description, media.meta.original.width], ["image", "A line", 80]);
const described = await v1.media.$select(media.id).update({ description: "A red line" });
same(described.description, "A red line");
const picture = await v1.statuses.create({ status: "Look", mediaIds: [media.id] });
same([ids(picture.mediaAttachments), picture.mediaAttachments[0].description], [[media.id], "A red line"]);
const shown = await fetch(picture.mediaAttachments[0].url);
same([shown.status, shown.headers.get("Content-Type").split("/")[0]], [200, "image"]);
const asked = await v1.statuses.create({ status: "Tea?", poll: { options: ["yes", "no"], expiresIn: 3600 } });
const voted = await bob.v1.polls.$select(asked.poll.id).votes.create({ choices: [1] });
same([voted.voted, voted.ownVotes, voted.options[1].votesCount], [true, [1], 1]);
await refused(422, bob.v1.polls.$select(asked.poll.id).votes.create({ choices: [0] }));

// A thread, and acts on a post.
const reply = await bob.v1.statuses.create({ status: "@ann_masto they do", inReplyToId: post.id });
same([reply.inReplyToId, reply.inReplyToAccountId], [post.id, me.id]);
const thread = await until("the reply is in the thread", async () => {
  const is = await v1.statuses.$select(post.id).context.fetch();
  return is.descendants.length > 0 && is;
});
same([ids(thread.ancestors), ids(thread.descendants)], [[], [reply.id]]);
same(ids((await v1.statuses.$select(reply.id).context.fetch()).ancestors), [post.id]);
const his = bob.v1.statuses.$select(post.id);
same((await his.favourite()).favourited, true);
same((await his.reblog()).reblog.id, post.id);
same((await his.bookmark()).bookmarked, true);
same(ids(await bob.v1.favourites.list()), [post.id]);
same(ids(await bob.v1.bookmarks.list()), [post.id]);
const counted = await until("the acts are counted", async () => {
  const is = await v1.statuses.$select(post.id).fetch();
  return is.favouritesCount === 1 && is.reblogsCount === 1 && is.repliesCount === 1 && is;
});
same([counted.favourited, counted.reblogged], [false, false]); // ann did not
same(ids(await v1.statuses.$select(post.id).favouritedBy.list()), [him.id]);
same(ids(await v1.statuses.$select(post.id).rebloggedBy.list()), [him.id]);
same((await his.unbookmark()).bookmarked, false);
same((await v1.statuses.$select(post.id).pin()).pinned, true);
same(ids(await v1.accounts.$select(me.id).statuses.list({ pinned: true })), [post.id]);

// An edit, and what was there before.
const edited = await bob.v1.statuses.$select(reply.id).update({ status: "@ann_masto they really do" });
assert.match(edited.content, /they really do/);
assert.ok(edited.editedAt > edited.createdAt);
const history = await v1.statuses.$select(reply.id).history.list();
same(
  history.map(({ content }) => content),
  [reply.content, edited.content],
);

// Notifications, alone and in groups, and how far they were read.
const heard = await until("four notifications", async () => {
  const all = await v1.notifications.list({ types: ["mention", "favourite", "reblog", "follow"] });
  return all.length === 4 && all;
});
same(heard.map(({ type }) => type).sort(), ["favourite", "follow", "mention", "reblog"]);
for (const { type, account, status } of heard) {
  same(account.id, him.id);
  same(status?.id, { mention: reply.id, favourite: post.id, reblog: post.id }[type], type);
}
same((await v1.notifications.$select(heard[0].id).fetch()).type, heard[0].type);
const grouped = await v2.notifications.list({ groupedTypes: ["favourite", "reblog", "follow"] });
same(ids(grouped.accounts), [him.id]);
const favourite = grouped.notificationGroups.find(({ type }) => type === "favourite");
same([favourite.statusId, favourite.sampleAccountIds, favourite.notificationsCount], [post.id, [him.id], 1]);
assert.ok((await v2.notifications.unreadCount.fetch()).count > 0);
await v1.markers.create({ notifications: { lastReadId: heard[0].id }, home: { lastReadId: post.id } });
const markers = await v1.markers.fetch({ timeline: ["notifications", "home"] });
same([markers.notifications.lastReadId, markers.home.lastReadId], [heard[0].id, post.id]);
await until("all is read", async () => (await v2.notifications.unreadCount.fetch()).count === 0);

// Lists.
const list = await v1.lists.create({ title: "Friends" });
await v1.lists.$select(list.id).accounts.create({ accountIds: [him.id] });
same(ids(await v1.lists.$select(list.id).accounts.list()), [him.id]);
same(ids(await v1.accounts.$select(him.id).lists.list()), [list.id]);
same((await v1.lists.$select(list.id).update({ title: "Sparks" })).title, "Sparks");
const more = await bob.v1.statuses.create({ status: "for the list" });
await until("the list has the post", async () =>
  ids(await v1.timelines.list.$select(list.id).list()).includes(more.id),
);

// Filters.
const filter = await v2.filters.create({
  title: "No list",
  context: ["home", "public"],
  filterAction: "warn",
  keywordsAttributes: [{ keyword: "the list", wholeWord: true }],
});
same([filter.title, filter.keywords.map(({ keyword }) => keyword)], ["No list", ["the list"]]);
const warned = await until("the filter warns", async () => {
  const all = await v1.timelines.home.list();
  return all.find(({ id, filtered }) => id === more.id && filtered?.length > 0);
});
same([warned.filtered[0].filter.id, warned.filtered[0].keywordMatches], [filter.id, ["the list"]]);
const word = await v2.filters.$select(filter.id).keywords.create({ keyword: "lists" });
same(ids(await v2.filters.$select(filter.id).keywords.list()).includes(word.id), true);
await v2.filters.$select(filter.id).remove();
same(await v2.filters.list(), []);

// Timelines, page after page.
const made = [];
for (let n = 0; n < 5; n++) made.push((await bob.v1.statuses.create({ status: `spark ${n} #pages` })).id);
const newest = made.toReversed();
await until("home has all", async () => {
  const all = ids(await v1.timelines.home.list());
  return made.every((id) => all.includes(id));
});
const home = ids(await v1.timelines.home.list({ limit: 40 }));
const inPages = await pagesOf(v1.timelines.home.list({ limit: 3 }));
// A page has a post or its share; pages have both.
same(
  inPages.flat().filter((id) => id !== post.id),
  home,
);
same(
  inPages.every((page, n) => page.length === 3 || n >= inPages.length - 2),
  true,
  JSON.stringify(inPages),
);
same(home.slice(0, 5), newest);
await until("the tag has all", async () => (await v1.timelines.tag.$select("pages").list()).length === 5);
same((await pagesOf(v1.timelines.tag.$select("pages").list({ limit: 2 }))).flat(), newest);
same((await pagesOf(v1.timelines.public.list({ limit: 4, local: true }))).flat().slice(0, 5), newest);
same(
  (
    await pagesOf(v1.accounts.$select(him.id).statuses.list({ limit: 2, excludeReblogs: true, excludeReplies: true }))
  ).flat(),
  [...newest, more.id],
);
const later = await v1.timelines.home.list({ minId: made[2], limit: 1 });
same(ids(later), [made[3]]);

// Search.
const found = await until("the search finds", async () => {
  const is = await v2.search.list({ q: "bob_masto" });
  return is.accounts.length > 0 && is;
});
same(ids(found.accounts), [him.id]);
await until("the tag is found", async () =>
  (await v2.search.list({ q: "#pages", type: "hashtags" })).hashtags.some(({ name }) => name === "pages"),
);

// A post for later.
const at = new Date(Date.now() + 3_600_000).toISOString();
const scheduled = await v1.statuses.create({ status: "later", scheduledAt: at });
same([scheduled.scheduledAt, scheduled.params.text], [at, "later"]);
const moved = new Date(Date.now() + 7_200_000).toISOString();
same((await v1.scheduledStatuses.$select(scheduled.id).update({ scheduledAt: moved })).scheduledAt, moved);
same(ids(await v1.scheduledStatuses.list()), [scheduled.id]);
await v1.scheduledStatuses.$select(scheduled.id).remove();
same(await v1.scheduledStatuses.list(), []);

// Streams: what bob does arrives.
const streaming = createStreamingAPIClient({
  streamingApiUrl: instance.configuration.urls.streaming,
  accessToken: ann.token.accessToken,
  retry: 1,
});
await streaming.prepare();
const events = [];
let arrived = () => {};
let ended;
const end = new Promise((go) => (ended = go));
(async () => {
  try {
    for await (const event of streaming.user.subscribe()) {
      events.push(event);
      arrived();
    }
  } finally {
    ended(Date.now());
  }
})().catch(() => {});
const hears = (what, is) =>
  soon(
    what,
    new Promise((go) => {
      arrived = () => {
        const event = events.find(is);
        if (event) go(event);
      };
      arrived();
    }),
  );
// The subscription is there when one of some posts arrives.
const lives = [];
await until("the subscription is there", async () => {
  lives.push((await bob.v1.statuses.create({ status: "live" })).id);
  return events.some(({ payload }) => lives.includes(payload.id));
});
const update = await hears("the post", ({ event }) => event === "update");
same([update.stream, update.payload.account.id], [["user"], him.id]);
assert.match(update.payload.content, /live/);
await bob.v1.statuses.$select(picture.id).favourite();
const told = await hears("the notification", ({ event }) => event === "notification");
same([told.payload.type, told.payload.account.id, told.payload.status.id], ["favourite", him.id, picture.id]);
await bob.v1.statuses.$select(update.payload.id).remove();
same((await hears("the deletion", ({ event }) => event === "delete")).payload, update.payload.id);

// A report, a mute and a block.
const report = await v1.reports.create({ accountId: him.id, statusIds: [more.id], comment: "spam", category: "spam" });
same([report.targetAccount.id, report.category, report.statusIds], [him.id, "spam", [more.id]]);
same((await v1.accounts.$select(him.id).mute()).muting, true);
same(ids(await v1.mutes.list()), [him.id]);
same(
  ids(await v1.timelines.home.list()).some((id) => made.includes(id)),
  false,
);
same((await v1.accounts.$select(him.id).unmute()).muting, false);
same((await v1.accounts.$select(him.id).block()).blocking, true);
same(ids(await v1.blocks.list()), [him.id]);
await refused(403, bob.v1.statuses.$select(asked.id).favourite());
same((await v1.accounts.$select(him.id).unblock()).blocking, false);
same((await v1.statuses.$select(post.id).remove()).text, text);
await refused(404, v1.statuses.$select(post.id).fetch());

// The end: the token is taken back, and nothing goes on with it.
const { clientId, clientSecret } = ann.app;
await ann.oauth.revoke({ clientId, clientSecret, token: ann.token.accessToken });
const taken = Date.now();
await refused(401, v1.accounts.verifyCredentials());
console.log(`the stream ended after ${(await soon("the end of the stream", end)) - taken} ms`);
streaming.close();
await bob.v1.accounts.verifyCredentials();
console.log("the session ended");
process.exit(0);
