// What masto.js can do, by its types, and what of it a test did.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const types = join(dirname(fileURLToPath(import.meta.resolve("masto"))), "mastodon");
const files = new Map();

/** The interfaces of a file: their members, each with its type. */
function interfacesOf(file) {
  if (!files.has(file)) {
    const all = new Map();
    for (const [, name, body] of readFileSync(file, "utf8").matchAll(/^export interface (\S+)[^{]*\{\n(.*?)^\}/gms)) {
      const members = body.matchAll(/^ {4}(?:readonly )?([$\w]+)(?:\(.*?\))?: (.*?);?$/gm);
      all.set(
        name,
        [...members].map(([, member, type]) => [member, type]),
      );
    }
    files.set(file, all);
  }
  return files.get(file);
}

const typesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith(".d.ts"))
    .map((entry) => join(folder, entry.name, entry.isDirectory() ? "index.d.ts" : ""));

/** Finds an interface that a file names: in that file, beside it, or in a folder of its namespace. */
function find(file, name) {
  const [space, short] = name.includes(".") ? name.split(".") : [undefined, name];
  const here = dirname(file);
  const found = [file, ...typesIn(space ? join(here, space) : here)].filter((f) => interfacesOf(f).has(short));
  if (found.length === 0) throw new Error(`${basename(file)} names ${name}, which is nowhere`);
  return [found[0], interfacesOf(found[0]).get(short)];
}

/** The names of all methods of a client, such as v1.accounts.$select.follow. */
function methodsOf(file, name, path = []) {
  const [at, members] = find(file, name);
  return members.flatMap(([member, type]) =>
    /^[\w.$]+Resource$/.test(type) ? methodsOf(at, type, [...path, member]) : [[...path, member].join(".")],
  );
}

/** The names of all methods that masto.js has. */
export const methods = [
  ...methodsOf(join(types, "rest", "client.d.ts"), "Client"),
  ...methodsOf(join(types, "oauth", "client.d.ts"), "Client", ["oauth"]),
  ...methodsOf(join(types, "streaming", "client.d.ts"), "Client", ["streaming"]),
];

/** The methods that were called. */
export const called = new Set();

/** A client whose calls are noted. */
export function watched(client, path = []) {
  return new Proxy(() => {}, {
    get: (_, name) =>
      typeof name === "symbol" || name === "then" ? undefined : watched(client[name], [...path, name]),
    apply: (_, __, args) => {
      const out = client(...args);
      if (path.at(-1) === "$select") return watched(out, path);
      called.add(path.filter((name) => name !== "$raw").join("."));
      return out;
    },
  });
}

/** The requests that were sent, as "GET /api/v1/lists". */
export const sent = new Set();
const plain = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  sent.add(`${request.method} ${new URL(request.url).pathname}`);
  return plain(request);
};
