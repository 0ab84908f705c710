// The methods about people: accounts, follows, lists, tags, filters.
import { ids, onPages, pagesOf, refused, same } from "./asserts.mjs";
import { until } from "./app.mjs";

export async function people({ ann, bob, cid, me, him, her, picture }) {
  await accounts({ ann, me, him, picture });
  await follows({ ann, bob, cid, me, him, her });
  await lists({ ann, him, her });
  await tags({ ann, me });
  await filters({ ann });
}

async function accounts({ ann, me, him, picture }) {
  const { v1, v2 } = ann;
  const own = await v1.accounts.verifyCredentials();
  same([own.id, own.acct, own.source.privacy], [me, "ann", "public"]);
  const updated = await v1.accounts.updateCredentials({
    displayName: "Ann",
    note: "Sparks & more",
    avatar: picture,
    fieldsAttributes: [{ name: "Tea", value: "green" }],
    source: { language: "en" },
  });
  same([updated.displayName, updated.source.note, updated.source.language], ["Ann", "Sparks & more", "en"]);
  same(
    updated.source.fields.map(({ name, value }) => [name, value]),
    [["Tea", "green"]],
  );
  const profile = await v1.profile.update({ displayName: "Ann A.", header: picture, discoverable: true });
  same([profile.id, profile.displayName], [me, "Ann A."]);
  same((await v1.profile.fetch()).note, "Sparks & more");
  const before = await until("the pictures are there", async () => {
    const is = await v1.accounts.verifyCredentials();
    return !is.avatar.endsWith(own.avatar.split("/").at(-1)) && !is.header.endsWith(own.header.split("/").at(-1)) && is;
  });
  same((await v1.profile.avatar.remove()).avatar === before.avatar, false);
  same((await v1.profile.header.remove()).header === before.header, false);
  const preferences = await v1.preferences.fetch();
  same(preferences["posting:default:visibility"], "public");
  same((await v1.accounts.lookup({ acct: "bob" })).id, him);
  same((await v1.accounts.$select(him).fetch()).acct, "bob");
  same(ids(await v1.accounts.fetch({ id: [me, him] })), [me, him]);
  same(ids(await v1.accounts.search.list({ q: "bob", limit: 3 })), [him]);
  await until("the directory has ann", async () => ids(await v1.directory.list({ order: "new" })).includes(me));
  same(ids((await v2.search.list({ q: "bob", type: "accounts" })).accounts), [him]);
  same(ids((await v1.search.list({ q: "bob", type: "accounts" })).accounts), [him]);
}

async function follows({ ann, bob, cid, me, him, her }) {
  const { v1, v2 } = ann;
  const one = v1.accounts.$select(him);
  const relation = async (act, want) => {
    const is = await act;
    same([is.id, ...Object.keys(want).map((name) => is[name])], [him, ...Object.values(want)]);
  };
  await relation(one.unfollow(), { following: false });
  await relation(one.follow({ reblogs: false, notify: true }), {
    following: true,
    showingReblogs: false,
    notifying: true,
  });
  await relation(one.follow({ reblogs: true, notify: false }), {
    following: true,
    showingReblogs: true,
    notifying: false,
  });
  await relation(one.note.create({ comment: "We met" }), { note: "We met" });
  await relation(one.mute({ duration: 3600 }), { muting: true });
  same(ids(await v1.mutes.list()), [him]);
  await relation(one.unmute(), { muting: false });
  await relation(v1.accounts.$select(him).block(), { blocking: true });
  same(ids(await v1.blocks.list()), [him]);
  await relation(one.unblock(), { blocking: false });

  // A locked account decides who follows.
  same((await v1.accounts.updateCredentials({ locked: true })).locked, true);
  const asked = await bob.v1.accounts.$select(me).follow();
  same([asked.following, asked.requested], [false, true]);
  await cid.v1.accounts.$select(me).follow();
  await onPages((params) => v1.followRequests.list(params), [her, him]);
  same((await v1.followRequests.$select(him).authorize()).followedBy, true);
  same((await v1.followRequests.$select(her).reject()).followedBy, false);
  same(await v1.followRequests.list(), []);
  await v1.accounts.updateCredentials({ locked: false });
  await cid.v1.accounts.$select(me).follow();
  await one.follow();
  await v1.accounts.$select(her).follow();
  await until("all follow", async () => {
    const all = await v1.accounts.relationships.fetch({ id: [him, her] });
    same(ids(all), [him, her]);
    return all.every(({ following, followedBy }) => following && followedBy);
  });
  await until("ann has two followers", async () => (await v1.accounts.$select(me).followers.list()).length === 2);
  await onPages((params) => v1.accounts.$select(me).followers.list(params), [her, him]);
  await onPages((params) => v1.accounts.$select(me).following.list(params), [her, him]);
  // masto.js's type is a list, which no Mastodon takes.
  const [familiar] = await v1.accounts.familiarFollowers.fetch({ id: [him] });
  same(familiar.id, him);
  await v1.accounts.$select(her).removeFromFollowers();
  same((await v1.accounts.relationships.fetch({ id: [her] }))[0].followedBy, false);

  same(Array.isArray(await v1.suggestions.list({ limit: 5 })), true);
  same(
    (await v2.suggestions.list({ limit: 5 })).every(({ account, source }) => account.id !== him && source !== ""),
    true,
  );
  await v1.suggestions.$select(her).remove();
}

async function lists({ ann, him, her }) {
  const { v1 } = ann;
  const list = await v1.lists.create({ title: "news", exclusive: false });
  const one = v1.lists.$select(list.id);
  same([list.title, list.exclusive], ["news", false]);
  same((await one.update({ title: "more news", exclusive: true })).exclusive, true);
  same((await one.fetch()).title, "more news");
  same((await v1.lists.list()).map(({ title }) => title).sort(), ["friends", "more news"]);
  await one.accounts.create({ accountIds: [him, her] });
  const members = ids(await one.accounts.list());
  same(members.toSorted(), [him, her].toSorted());
  same(await pagesOf(one.accounts.list({ limit: 1 })), members.map((one) => [one]));
  same(ids(await v1.accounts.$select(her).lists.list()), [list.id]);
  await one.accounts.remove({ accountIds: [her] });
  same(ids(await one.accounts.list()), [him]);
  await one.remove();
  await refused(404, one.fetch());
}

async function tags({ ann, me }) {
  const { v1 } = ann;
  const tag = v1.tags.$select("spark");
  same([(await tag.fetch()).name, (await tag.fetch()).following], ["spark", false]);
  same((await tag.follow()).following, true);
  same(
    (await v1.followedTags.list()).map(({ name }) => name),
    ["spark"],
  );
  same((await tag.unfollow()).following, false);
  same((await tag.feature()).featuring, true);
  const names = async () => (await v1.featuredTags.list()).map(({ name }) => name);
  same(await names(), ["spark"]);
  same((await tag.unfeature()).featuring, false);
  const glow = await v1.featuredTags.create({ name: "glow" });
  same(glow.name, "glow");
  same(
    (await v1.accounts.$select(me).featuredTags.list()).map(({ name }) => name),
    ["glow"],
  );
  await v1.featuredTags.$select(glow.id).remove();
  same(await names(), []);
  same(Array.isArray(await v1.featuredTags.suggestions.list()), true);
}

async function filters({ ann }) {
  const { v1, v2 } = ann;
  const filter = await v2.filters.create({
    title: "Films",
    context: ["home", "public"],
    filterAction: "hide",
    expiresIn: 3600,
    keywordsAttributes: [{ keyword: "spoiler", wholeWord: true }],
  });
  same([filter.title, filter.context, filter.filterAction], ["Films", ["home", "public"], "hide"]);
  const one = v2.filters.$select(filter.id);
  same((await one.update({ title: "Film", context: ["home"] })).title, "Film");
  same((await one.fetch()).context, ["home"]);
  same(ids(await v2.filters.list()), [filter.id]);
  const word = await one.keywords.create({ keyword: "finale", wholeWord: false });
  same([word.keyword, word.wholeWord], ["finale", false]);
  same((await one.keywords.list()).map(({ keyword }) => keyword).sort(), ["finale", "spoiler"]);
  same((await v2.filters.keywords.$select(word.id).fetch()).keyword, "finale");
  const changed = await v2.filters.keywords.$select(word.id).update({ keyword: "the finale", wholeWord: true });
  same([changed.keyword, changed.wholeWord], ["the finale", true]);
  await v2.filters.keywords.$select(changed.id).remove();
  same((await one.keywords.list()).length, 1);
  await one.remove();
  same(await v2.filters.list(), []);

  const old = await v1.filters.create({ phrase: "goal", context: ["home"], wholeWord: true, expiresIn: 3600 });
  same([old.phrase, old.context, old.wholeWord], ["goal", ["home"], true]);
  same((await v1.filters.$select(old.id).fetch()).phrase, "goal");
  same(ids(await v1.filters.list()), [old.id]);
  const other = await v1.filters.$select(old.id).update({ phrase: "goals", context: ["home", "thread"] });
  same([other.phrase, other.context], ["goals", ["home", "thread"]]);
  await v1.filters.$select(other.id).remove();
  same(await v1.filters.list(), []);
}
