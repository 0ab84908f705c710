// A click on a notification opens a page, and worker.js says for which account. An address cannot say
// it: a stranger's link would choose the account.
const cache = "hibana.reader"; // worker.js has the same name
const recent = 60_000; // milliseconds

/** Returns the uid of the account for which a click opened this page, once. */
export async function handedOver(): Promise<string | undefined> {
  if (!("caches" in window)) return undefined;
  const kept = await caches.open(cache);
  const said = await kept.match("/for");
  if (!said) return undefined;
  await kept.delete("/for");
  const { uid, path, at } = (await said.json()) as { uid: string; path: string; at: number };
  return path === location.pathname && Date.now() - at < recent ? uid : undefined;
}
