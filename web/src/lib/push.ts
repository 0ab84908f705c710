import { useQuery } from "@tanstack/react-query";
import { apps, appHere } from "./accounts";
import { body, hibana, queries } from "./api";
import { reader } from "./firebase";
import { readerKeys } from "./keys";

// The id of this browser among the devices of an account. A browser has one subscription for all of
// its accounts, and each account registers it under an id of its own.
const prefix = "hibana.device";
const placeOf = (uid: string | undefined) => `${prefix}.${uid}`;

async function place(): Promise<string> {
  const is = placeOf(await reader());
  // Before there were several accounts it had no uid.
  const before = appHere() === apps[0] ? localStorage.getItem(prefix) : null;
  if (before !== null) {
    localStorage.setItem(is, before);
    localStorage.removeItem(prefix);
  }
  return is;
}

/**
 * Tells whether this browser can be told of notifications, and is. lacking means that the service
 * could tell it, and the browser cannot hear.
 */
export function usePush() {
  return useQuery({
    queryKey: readerKeys.push,
    meta: { keep: false },
    queryFn: async () => {
      const able =
        "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
      const ways = await body(hibana.GET("/v1/push", {}));
      return {
        key: able && ways.webPush ? ways.vapidPublicKey : undefined,
        lacking: !able && ways.webPush,
        on:
          able &&
          Notification.permission === "granted" &&
          localStorage.getItem(await place()) !== null,
      };
    },
  });
}

/** Registers this browser. It asks the reader first. */
export async function tellHere(key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") return;
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const { endpoint, keys } = subscription.toJSON();
  const is = await place();
  const id = localStorage.getItem(is) ?? crypto.randomUUID();
  localStorage.setItem(is, id); // before the request, whose answer may be lost
  await hibana.PUT("/v1/users/me/pushSubscriptions/{id}", {
    params: { path: { id } },
    body: { endpoint: endpoint!, keys: { auth: keys!["auth"]!, p256dh: keys!["p256dh"]! } },
  });
  await queries.invalidateQueries({ queryKey: readerKeys.push });
}

/** Registers this browser again, if it hears already: a new password ended that with all sessions. */
export async function tellStill(): Promise<void> {
  if (localStorage.getItem(await place()) === null) return;
  const ways = await body(hibana.GET("/v1/push", {}));
  if (ways.vapidPublicKey) await tellHere(ways.vapidPublicKey);
}

/** Ends that: also before a sign-out, or the next one here would be told of what is not theirs. */
export async function tellNoMore(): Promise<void> {
  const is = await place();
  const id = localStorage.getItem(is);
  await unsubscribe(await reader());
  if (id === null) return;
  await hibana.DELETE("/v1/users/me/pushSubscriptions/{id}", { params: { path: { id } } });
  localStorage.removeItem(is);
  await queries.invalidateQueries({ queryKey: readerKeys.push });
}

/**
 * Takes away what this browser shows to an account, and lets it hear no more, whatever the API knows
 * of it, unless it hears for another account too.
 */
export async function unsubscribe(uid: string | undefined): Promise<void> {
  const others = Object.keys(localStorage).some(
    (key) =>
      (key.startsWith(`${prefix}.`) && key !== placeOf(uid)) ||
      (key === prefix && appHere() !== apps[0]), // of before there were several
  );
  const worker = await navigator.serviceWorker?.getRegistration();
  if (!others)
    await (await worker?.pushManager?.getSubscription())?.unsubscribe().catch(() => false);
  for (const shown of (await worker?.getNotifications()) ?? [])
    if (!others || (shown.data as { uid?: string } | null)?.uid === uid) shown.close();
}
