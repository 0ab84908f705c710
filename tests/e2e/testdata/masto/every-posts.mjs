// The methods about posts: writing, acts, lists of posts, and notifications.
import assert from "node:assert/strict";
import { ids, onPages, pagesOf, refused, same } from "./asserts.mjs";
import { until } from "./app.mjs";

export async function posts(world) {
  await written(world);
  await acts(world);
  await timelines(world);
  await direct(world);
  await told(world);
}

async function written({ ann, bob, me, picture }) {
  const { v1, v2 } = ann;
  const old = await v1.media.create({ file: picture, description: "Old" });
  same([old.type, old.description], ["image", "Old"]);
  const media = await v2.media.create({ file: picture, description: "A line" });
  same([media.type, media.description, media.meta.original.width], ["image", "A line", 30]);
  const later = await v2.media.create({ file: picture, skipPolling: true });
  await until("the picture is ready", async () => (await v1.media.$select(later.id).fetch()).url);
  same((await v1.media.$select(media.id).update({ description: "A red line" })).description, "A red line");
  const once = { requestInit: { headers: { "Idempotency-Key": "a key" } } };
  const params = { status: "Look #glow", mediaIds: [media.id], spoilerText: "red", sensitive: true, language: "en" };
  const post = await v1.statuses.create(params, once);
  same((await v1.statuses.create(params, once)).id, post.id);
  same([post.account.id, post.spoilerText, post.sensitive, post.language], [me, "red", true, "en"]);
  same([ids(post.mediaAttachments), post.tags[0].name], [[media.id], "glow"]);
  const one = v1.statuses.$select(post.id);
  same((await one.source.fetch()).text, "Look #glow");
  const edited = await one.update({ status: "Look here #glow", spoilerText: "red", mediaIds: [media.id] });
  assert.match(edited.content, /Look here/);
  same((await one.fetch()).editedAt, edited.editedAt);
  same((await one.history.list()).length, 2);
  same(ids(await v1.statuses.fetch({ id: [post.id] })), [post.id]);
  same((await one.pin()).pinned, true);
  same(ids(await v1.accounts.$select(me).statuses.list({ pinned: true })), [post.id]);
  same((await one.unpin()).pinned, false);
  same((await one.card.fetch()).url ?? "", "");
  const asked = await bob.v1.statuses.create({ status: "Tea?", poll: { options: ["yes", "no"], expiresIn: 600 } });
  const poll = v1.polls.$select(asked.poll.id);
  same((await poll.fetch()).voted, false);
  const voted = await poll.votes.create({ choices: [1] });
  same([voted.voted, voted.ownVotes, voted.options[1].votesCount], [true, [1], 1]);
  const at = (hours) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const scheduled = [];
  for (const status of ["later", "still later"]) {
    scheduled.unshift(await v1.statuses.create({ status, scheduledAt: at(2 + scheduled.length) }));
  }
  const next = v1.scheduledStatuses.$select(scheduled[0].id);
  same((await next.fetch()).params.text, "still later");
  const moved = at(9);
  same((await next.update({ scheduledAt: moved })).scheduledAt, moved);
  const all = ids(await v1.scheduledStatuses.list());
  same(all.toSorted(), ids(scheduled).toSorted());
  await onPages((limits) => v1.scheduledStatuses.list(limits), all);
  for (const { id } of scheduled) await v1.scheduledStatuses.$select(id).remove();
  same(await v1.scheduledStatuses.list(), []);
  same((await one.remove()).text, "Look here #glow");
  await refused(404, one.fetch());
}

async function acts({ ann, bob, him, me, post }) {
  const { v1 } = ann;
  const one = v1.statuses.$select(post);
  same((await one.favourite()).favourited, true);
  same((await one.bookmark()).bookmarked, true);
  const share = await one.reblog();
  same([share.account.id, share.reblog.id, share.reblog.reblogged], [me, post, true]);
  same((await one.mute()).muted, true);
  same((await one.unmute()).muted, false);
  await until("the acts are counted", async () => {
    const is = await one.fetch();
    return is.favouritesCount === 1 && is.reblogsCount === 1;
  });
  same(ids(await one.favouritedBy.list()), [me]);
  same(ids(await one.rebloggedBy.list()), [me]);
  same(ids(await v1.favourites.list()), [post]);
  same(ids(await v1.bookmarks.list()), [post]);
  const reply = await bob.v1.statuses.create({ status: "@ann see", inReplyToId: post });
  same(reply.inReplyToAccountId, him);
  await until("the thread has the reply", async () => (await one.context.fetch()).descendants[0]?.id === reply.id);
  const quote = await v1.statuses.create({ status: "this", quotedStatusId: post });
  same([quote.quote.state, quote.quote.quotedStatus.id], ["accepted", post]);
  await until("the quote is in the list", async () => ids(await one.quotes.list())[0] === quote.id);
  same((await one.unreblog()).reblogged, false);
  same((await one.unfavourite()).favourited, false);
  same((await one.unbookmark()).bookmarked, false);
  const more = await bob.v1.statuses.create({ status: "second" });
  for (const id of [post, more.id]) {
    await v1.statuses.$select(id).bookmark();
    await v1.statuses.$select(id).favourite();
  }
  await onPages((limits) => v1.bookmarks.list(limits), [more.id, post]);
  await onPages((limits) => v1.favourites.list(limits), [more.id, post]);
  const report = await v1.reports.create({ accountId: him, statusIds: [more.id], comment: "loud", category: "spam" });
  same([report.targetAccount.id, report.category, report.statusIds], [him, "spam", [more.id]]);
}

async function timelines({ ann, bob, him, list }) {
  const { v1 } = ann;
  const made = [];
  for (let n = 0; n < 5; n++) made.push((await bob.v1.statuses.create({ status: `spark ${n} #pages` })).id);
  const newest = made.toReversed();
  const lists = {
    home: (params) => v1.timelines.home.list(params),
    list: (params) => v1.timelines.list.$select(list).list(params),
    tag: (params) => v1.timelines.tag.$select("pages").list(params),
    public: (params) => v1.timelines.public.list({ ...params, local: true }),
    account: (params) => v1.accounts.$select(him).statuses.list({ ...params, excludeReblogs: true }),
  };
  for (const [name, read] of Object.entries(lists)) {
    const all = await until(`${name} has all`, async () => {
      const are = ids(await read({ limit: 40 }));
      return newest.every((id, n) => id === are[n]) && are;
    });
    same((await pagesOf(read({ limit: 3 }))).flat(), all, `${name}, to older ones`);
    // and back: from a post on to newer ones, page after page
    const back = await pagesOf(read({ minId: made[0], limit: 2 }).setDirection("prev"));
    same(back.slice(0, 2), [newest.slice(2, 4), newest.slice(0, 2)], `${name}, to newer ones`);
    same(ids(await read({ sinceId: made[2] })), newest.slice(0, 2), `${name}, since`);
  }
  // Of the first version, hashtags are their names.
  await until("the search finds the tag", async () =>
    (await v1.search.list({ q: "#pages", type: "hashtags" })).hashtags.includes("pages"),
  );
  same(Array.isArray(await v1.trends.tags.list({ limit: 3 })), true);
  same(Array.isArray(await v1.trends.statuses.list({ limit: 3 })), true);
}

async function direct({ ann, bob, him }) {
  const { v1 } = ann;
  const psst = await bob.v1.statuses.create({ status: "@ann psst", visibility: "direct" });
  await until("the post is there", async () => ids(await v1.timelines.direct.list())[0] === psst.id);
  const [talk] = await v1.conversations.list();
  same([ids(talk.accounts), talk.lastStatus.id], [[him], psst.id]);
  same((await v1.conversations.$select(talk.id).read()).id, talk.id);
}

async function told({ ann, bob, cid, me, her }) {
  const { v1, v2 } = bob;
  const post = await v1.statuses.create({ status: "tell me" });
  await ann.v1.statuses.$select(post.id).favourite();
  const two = [];
  for (const status of ["@bob hello", "@bob hello again"]) two.push(await ann.v1.statuses.create({ status }));
  const all = await until("bob is told", async () => {
    const are = await v1.notifications.list({ types: ["mention", "favourite"] });
    return [post, ...two].every(({ id }) => are.some(({ status }) => status.id === id)) && are;
  });
  const first = ids(all);
  same((await pagesOf(v1.notifications.list({ types: ["mention", "favourite"], limit: 2 }))).flat(), first);
  const oldest = { minId: first.at(-1), limit: 1, types: ["mention", "favourite"] };
  const back = await pagesOf(v1.notifications.list(oldest).setDirection("prev"));
  same(back.flat(), first.slice(0, -1).toReversed());
  same(ids(await v1.notifications.fetch({ types: ["mention", "favourite"] })), first);
  same((await v1.notifications.$select(first[0]).fetch()).account.id, me);
  assert.ok((await v1.notifications.unreadCount.fetch()).count > 0);
  const groups = await v2.notifications.list({ types: ["favourite"], groupedTypes: ["favourite"] });
  const group = groups.notificationGroups.find(({ statusId }) => statusId === post.id);
  same([group.type, group.sampleAccountIds], ["favourite", [me]]);
  const key = v2.notifications.$select(group.groupKey);
  same((await key.fetch()).notificationGroups[0].statusId, post.id);
  same(ids(await key.accounts.fetch()), [me]);
  assert.ok((await v2.notifications.unreadCount.fetch()).count > 0);
  await v1.markers.create({ notifications: { lastReadId: first.at(-1) }, home: { lastReadId: post.id } });
  const markers = await v1.markers.fetch({ timeline: ["notifications", "home"] });
  same([markers.notifications.lastReadId, markers.home.lastReadId], [first.at(-1), post.id]);
  await v1.notifications.$select(first[0]).dismiss();
  await key.dismiss();
  await v1.notifications.clear();
  same((await v1.notifications.unreadCount.fetch()).count, 0);

  // What a policy filters waits as requests.
  same((await v2.notifications.policy.update({ forNotFollowing: "filter" })).forNotFollowing, "filter");
  same((await v2.notifications.policy.fetch()).forNotFollowing, "filter");
  await v1.accounts.$select(me).unfollow();
  for (const who of [ann, cid]) await who.v1.statuses.create({ status: "@bob filtered" });
  const requests = await until("both wait", async () => {
    const are = await v1.notifications.requests.list();
    return are.length === 2 && are;
  });
  same(requests.map(({ account }) => account.id).sort(), [me, her].sort());
  const hers = requests.find(({ account }) => account.id === her);
  same((await v1.notifications.requests.$select(hers.id).fetch()).account.id, her);
  await v1.notifications.requests.$select(hers.id).dismiss();
  const mine = requests.find(({ account }) => account.id === me);
  await v1.notifications.requests.$select(mine.id).accept();
  await until("they are merged", async () => (await v1.notifications.requests.merged.fetch()).merged);
  await v1.notifications.requests.accept({ id: [hers.id] });
  await v1.notifications.requests.dismiss({ id: [hers.id] });
  same(ids(await v1.notifications.requests.list()), []);
  same((await v2.notifications.policy.update({ forNotFollowing: "accept" })).forNotFollowing, "accept");
}
