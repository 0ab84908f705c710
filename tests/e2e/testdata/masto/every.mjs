// Every method of masto.js is called, and asserted on. What was called is written as the last line.
import assert from "node:assert/strict";
import { letIn } from "./app.mjs";
import { called, methods, sent, watched } from "./watched.mjs";
import { off } from "./every-off.mjs";
import { people } from "./every-people.mjs";
import { posts } from "./every-posts.mjs";
import { leave, rest } from "./every-rest.mjs";
import { streams } from "./every-streams.mjs";

const given = JSON.parse(process.env.HIBANA_WORLD);
const world = {
  ...given.ids,
  me: given.ids.ann,
  him: given.ids.bob,
  her: given.ids.cid,
  keys: given.keys,
  picture: new Blob([Buffer.from(given.picture, "base64")], { type: "image/png" }),
};
for (const [name, token] of Object.entries(given.tokens)) {
  const staff = name === "ruth" ? " admin:read admin:write" : "";
  const it = await letIn(token, `read write follow push${staff}`);
  world[name] = {
    ...it,
    v1: watched(it.v1, ["v1"]),
    v2: watched(it.v2, ["v2"]),
    oauth: watched(it.oauth, ["oauth"]),
  };
}
called.add("v1.apps.create").add("oauth.token.create"); // by letIn, which asserts what they answer

for (const part of [people, posts, streams, rest, leave]) {
  const began = Date.now();
  await part(world);
  console.log(`${part.name}: ${Date.now() - began} ms`);
}
const here = [...sent];
sent.clear();
const before = new Set(called);
await off(world);
assert.deepEqual(
  methods.filter((name) => !called.has(name)),
  [],
  "methods of masto.js that were not called",
);
assert.deepEqual(
  [...called].filter((name) => !methods.includes(name)),
  [],
  "calls of what is no method of masto.js",
);
console.log(`masto.js has ${methods.length} methods, of which ${before.size} are here`);
console.log(JSON.stringify({ here, off: [...sent] }));
process.exit(0);
