// The worker answers the addresses of public pages with this client for somebody who is signed in.
// It cannot ask Firebase Auth, so the page tells it.
const cache = "hibana.reader"; // worker.js has the same name

/** Tells the worker of this browser whether somebody with an account is here. */
export async function tellWorker(signedIn: boolean): Promise<void> {
  if (!("caches" in window)) return;
  const kept = await caches.open(cache);
  if (signedIn) await kept.put("/reader", new Response());
  else await kept.delete("/reader");
}
