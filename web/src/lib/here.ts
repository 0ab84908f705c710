import { accounts } from "./accounts";

// The worker answers the addresses of public pages with this client for somebody who is signed in,
// and says of a notification for whom it is. It cannot ask Firebase Auth, so the page tells it.
const cache = "hibana.reader"; // worker.js has the same name

/** Tells the worker of this browser which accounts are signed in: their names by their uids. */
export async function tellWorker(): Promise<void> {
  if (!("caches" in window)) return;
  const kept = await caches.open(cache);
  const here = accounts().filter(({ ended }) => !ended);
  const names = Object.fromEntries(here.map(({ uid, username }) => [uid, username]));
  if (here.length > 0) await kept.put("/reader", new Response(JSON.stringify(names)));
  else await kept.delete("/reader");
}
