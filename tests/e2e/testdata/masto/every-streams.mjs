// Each stream hears what it is for.
import { createStreamingAPIClient } from "masto";
import { same } from "./asserts.mjs";
import { soon } from "./app.mjs";
import { watched } from "./watched.mjs";

export async function streams({ ann, bob, list, picture, him }) {
  const { configuration } = await ann.v2.instance.fetch();
  const client = createStreamingAPIClient({
    streamingApiUrl: configuration.urls.streaming,
    accessToken: ann.token.accessToken,
    retry: 1,
  });
  const streaming = watched(client, ["streaming"]);
  await streaming.prepare();

  /** Does something again and again until a stream has heard one of what came of it. */
  const hears = async (name, subscription, event, act, idOf = ({ id }) => id) => {
    const made = new Set();
    let heard = false;
    const listening = (async () => {
      for await (const is of subscription) {
        if (is.event !== event || !made.has(idOf(is.payload))) continue;
        same(is.stream[0], name);
        heard = true;
        return is.payload;
      }
    })();
    const acting = (async () => {
      while (!heard) {
        made.add(await act());
        await new Promise((go) => setTimeout(go, 200));
      }
    })();
    const payload = await soon(`${event} on ${name}`, listening);
    heard = true;
    await acting;
    return payload;
  };
  const says = (status, more) => async () => (await bob.v1.statuses.create({ status, ...more })).id;
  const shows = async () => {
    const media = await bob.v2.media.create({ file: picture });
    return (await bob.v1.statuses.create({ status: "look", mediaIds: [media.id] })).id;
  };
  const { user, list: ofList, hashtag, direct } = streaming;
  const everybody = streaming.public;
  same((await hears("user", user.subscribe(), "update", says("live"))).account.id, him);
  const mention = await hears(
    "user:notification",
    user.notification.subscribe(),
    "notification",
    says("@ann live"),
    ({ status }) => status?.id,
  );
  same([mention.type, mention.account.id], ["mention", him]);
  await hears("list", ofList.subscribe({ list }), "update", says("live"));
  await hears("hashtag", hashtag.subscribe({ tag: "spark" }), "update", says("live #spark"));
  await hears("hashtag:local", hashtag.local.subscribe({ tag: "spark" }), "update", says("live #spark"));
  await hears("public", everybody.subscribe(), "update", says("live"));
  await hears("public:local", everybody.local.subscribe(), "update", says("live"));
  await hears("public:media", everybody.media.subscribe(), "update", shows);
  await hears("public:local:media", everybody.local.media.subscribe(), "update", shows);
  const talk = says("@ann psst", { visibility: "direct" });
  await hears("direct", direct.subscribe(), "conversation", talk, ({ lastStatus }) => lastStatus.id);

  // What is deleted and edited is heard, too.
  const gone = await hears(
    "user",
    user.subscribe(),
    "delete",
    async () => {
      const { id } = await bob.v1.statuses.create({ status: "gone" });
      await new Promise((go) => setTimeout(go, 100));
      await bob.v1.statuses.$select(id).remove();
      return id;
    },
    (id) => id,
  );
  same(typeof gone, "string");
  const post = await bob.v1.statuses.create({ status: "draft" });
  let n = 0;
  await hears("user", user.subscribe(), "status.update", async () => {
    return (await bob.v1.statuses.$select(post.id).update({ status: `draft ${n++}` })).id;
  });

  // Nothing comes of other servers; to subscribe is no error.
  for (const quiet of [everybody.remote.subscribe(), everybody.remote.media.subscribe()]) {
    const next = quiet.values().next();
    const said = await Promise.race([next, new Promise((go) => setTimeout(go, 500, "nothing"))]);
    same(said, "nothing");
    next.catch(() => {});
  }
  streaming.close();
}
