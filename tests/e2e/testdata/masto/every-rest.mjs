// The methods about the installation, apps, announcements, push and moderation.
import assert from "node:assert/strict";
import { ids, refused, same } from "./asserts.mjs";
import { until } from "./app.mjs";

export async function rest(world) {
  const { v1, v2, app, token } = world.ann;
  const instance = await v2.instance.fetch();
  assert.match(instance.version, /^4\./);
  same((await v1.instance.fetch()).urls.streamingApi, instance.configuration.urls.streaming);
  same(typeof (await v1.instance.extendedDescription.fetch()).content, "string");
  same(
    (await v1.instance.languages.list()).map(({ code }) => code),
    ["ja"],
  );
  same((await v1.apps.verifyCredentials()).name, "Sparks");
  same([app.name, token.tokenType], ["Sparks", "Bearer"]);

  const [party] = await v1.announcements.list();
  assert.match(party.content, /Party/);
  same(party.read, false);
  await v1.announcements.$select(party.id).dismiss();
  same((await v1.announcements.list()).filter(({ read }) => !read).length, 0);

  await push(world);
  await moderation(world);
  await blocks(world);
}

async function push({ ann, keys }) {
  const { subscription } = ann.v1.push;
  await refused(404, subscription.fetch());
  const made = await subscription.create({
    subscription: { endpoint: "https://push.example.com/a", keys },
    data: { alerts: { mention: true, follow: false } },
    policy: "all",
  });
  same([made.endpoint, made.alerts.mention, made.alerts.follow], ["https://push.example.com/a", true, false]);
  same(made.serverKey.length > 40, true);
  same((await subscription.fetch()).id, made.id);
  same((await subscription.update({ data: { alerts: { follow: true } } })).alerts.follow, true);
  await subscription.remove();
  await refused(404, subscription.fetch());
}

async function moderation({ ann, ruth, cid, her, him, post }) {
  const { admin } = ruth.v1;
  await refused(403, ann.v1.admin.accounts.list());
  same(ids(await admin.accounts.list({ username: "cid" })), [her]);
  const one = admin.accounts.$select(her);
  same((await one.fetch()).username, "cid");
  await one.action.create({ type: "disable", text: "too loud" });
  await until("cid is frozen", async () => (await one.fetch()).disabled);
  same((await one.enable()).disabled, false);
  await one.action.create({ type: "suspend", text: "too loud" });
  await until("cid is suspended", async () => (await one.fetch()).suspended);
  same((await one.unsuspend()).suspended, false);
  await refused(404, admin.accounts.$select("nobody").approve());
  await refused(404, admin.accounts.$select("nobody").reject());

  await ann.v1.reports.create({ accountId: him, statusIds: [post], comment: "loud", category: "spam" });
  const reports = await admin.reports.list();
  const report = admin.reports.$select(reports[0].id);
  same((await report.fetch()).targetAccount.id, him);
  same((await report.resolve()).actionTaken, true);

  const { statuses, tags } = admin.trends;
  same([Array.isArray(await statuses.list()), Array.isArray(await tags.list())], [true, true]);
  same((await statuses.$select(post).reject()).id, post);
  same((await statuses.$select(post).approve()).id, post);
  same((await tags.$select("spark").reject()).name, "spark");
  same((await tags.$select("spark").approve()).name, "spark");
  same((await cid.v1.accounts.verifyCredentials()).id, her);
}

async function blocks({ ruth }) {
  const { domainBlocks, domainAllows, emailDomainBlocks, ipBlocks } = ruth.v1.admin;
  const loud = await domainBlocks.create({ domain: "loud.example", severity: "silence", privateComment: "loud" });
  same([loud.domain, loud.severity, loud.privateComment], ["loud.example", "silence", "loud"]);
  same((await domainBlocks.$select(loud.id).update({ rejectMedia: true })).rejectMedia, true);
  same((await domainBlocks.$select(loud.id).fetch()).rejectMedia, true);
  const others = [
    [domainBlocks, loud],
    [domainAllows, await domainAllows.create({ domain: "kind.example" })],
    [emailDomainBlocks, await emailDomainBlocks.create({ domain: "mail.example" })],
    [ipBlocks, await ipBlocks.create({ ip: "192.0.2.7", severity: "sign_up_block", expiresIn: 86_400 })],
  ];
  same((await ipBlocks.$select(others[3][1].id).update({ comment: "a school" })).comment, "a school");
  for (const [resource, made] of others) {
    same(ids(await resource.list()), [made.id]);
    same((await resource.$select(made.id).fetch()).id, made.id);
    await resource.$select(made.id).remove();
    same(await resource.list(), []);
  }
}

/** The end of an app: its token is taken back. */
export async function leave({ cid }) {
  const { clientId, clientSecret } = cid.app;
  await cid.oauth.revoke({ clientId, clientSecret, token: cid.token.accessToken });
  await refused(401, cid.v1.accounts.verifyCredentials());
}
