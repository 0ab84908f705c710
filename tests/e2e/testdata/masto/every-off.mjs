// The methods that are off here: each answers as a Mastodon without that feature.
import assert from "node:assert/strict";
import { refused, same } from "./asserts.mjs";

const nothing = {};

/** What each method answers: a status of a failure, or a value. */
function offs({ ann, ruth, him, post }) {
  const { v1, v2 } = ann;
  const { admin } = ruth.v1;
  const account = v1.accounts.$select(him);
  const collection = v1.collections.$select("1");
  const year = v1.annualReports.$select("2025");
  const email = { email: "a@mail.example" };
  const days = { startAt: "2026-11-01", endAt: "2026-11-02" };
  return [
    [() => account.identityProofs.list(), []],
    [() => account.endorsements.list(), []],
    [() => account.endorse(), 403],
    [() => account.unendorse(), nothing],
    [() => account.pin(), 403],
    [() => account.unpin(), nothing],
    [() => account.collections.list(), 404],
    [() => account.inCollections.list(), 404],
    [
      () => v1.accounts.create({ username: "eve", password: "a password", agreement: true, locale: "en", ...email }),
      403,
    ],
    [() => v1.emails.confirmations.create(email), 403],
    [() => v1.endorsements.list(), []],
    [() => v1.customEmojis.list(), []],
    [() => v1.domainBlocks.list(), []],
    [() => v1.domainBlocks.create({ domain: "loud.example" }), 403],
    [() => v1.domainBlocks.remove({ domain: "loud.example" }), nothing],
    [() => v1.instance.peers.list(), []],
    [() => v1.instance.activity.list(), []],
    [() => v1.instance.translationLanguages.list(), {}],
    [() => v1.instance.domainBlocks.fetch(), 404],
    [() => v1.announcements.$select("party").reactions.$select("x").update(), 422],
    [() => v1.announcements.$select("party").reactions.$select("x").remove(), 422],
    [() => v1.conversations.$select(post).remove(), 404],
    [() => v1.conversations.$select(post).unread(), 404],
    [() => v1.statuses.$select(post).translate(), 404],
    [() => v1.timelines.link.list({ url: "https://a.example" }), 404],
    [() => v1.trends.links.list(), []],
    [() => v2.filters.$select("1").statuses.list(), []],
    [() => v2.filters.$select("1").statuses.create({ statusId: post }), 422],
    [() => v2.filters.statuses.$select("1").fetch(), 404],
    [() => v2.filters.statuses.$select("1").remove(), 404],
    ...[
      () => v1.annualReports.list(),
      () => year.fetch(),
      () => year.state.fetch(),
      () => year.read(),
      () => year.generate(),
      () => v1.collections.create({ name: "a" }),
      () => collection.fetch(),
      () => collection.update({ name: "b" }),
      () => collection.remove(),
      () => collection.items.create({ accountId: him }),
      () => collection.items.$select("1").remove(),
      () => collection.items.$select("1").revoke(),
    ].map((call) => [call, 404]),
    [() => admin.accounts.$select(him).unsilence(), nothing],
    [() => admin.accounts.$select(him).unsensitive(), nothing],
    [() => admin.reports.$select("1").assignToSelf(), 422],
    [() => admin.reports.$select("1").unassign(), 422],
    [() => admin.reports.$select("1").reopen(), 422],
    [() => admin.canonicalEmailBlocks.list(), []],
    [() => admin.canonicalEmailBlocks.test(email), []],
    [() => admin.canonicalEmailBlocks.create(email), 422],
    [() => admin.canonicalEmailBlocks.$select("1").fetch(), 404],
    [() => admin.canonicalEmailBlocks.$select("1").remove(), 404],
    [() => admin.measures.create({ keys: ["new_users"], ...days }), []],
    [() => admin.dimensions.create({ keys: ["languages"] }), []],
    [() => admin.retention.create({ frequency: "day", ...days }), []],
    [() => admin.trends.links.list(), []],
    [() => admin.trends.links.$select("1").approve(), 404],
    [() => admin.trends.links.$select("1").reject(), 404],
    [() => admin.trends.links.publishers.list(), 404],
    [() => admin.trends.links.publishers.$select("1").approve(), 404],
    [() => admin.trends.links.publishers.$select("1").reject(), 404],
  ];
}

export async function off(world) {
  const wrong = [];
  for (const [call, want] of offs(world)) {
    try {
      if (typeof want === "number") await refused(want, call());
      else if (want === nothing) assert.ok(typeof (await call()) === "object");
      else same(await call(), want);
    } catch (error) {
      wrong.push(`${call}: ${error.message}`);
    }
  }
  same(wrong, []);
}
