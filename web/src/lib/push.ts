import { useQuery } from "@tanstack/react-query";
import { body, hibana, queries } from "./api";
import { readerKeys } from "./keys";

// The id of this browser among the devices of an account.
const place = "hibana.device";

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
        on: able && Notification.permission === "granted" && localStorage.getItem(place) !== null,
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
  const id = localStorage.getItem(place) ?? crypto.randomUUID();
  localStorage.setItem(place, id); // before the request, whose answer may be lost
  await hibana.PUT("/v1/users/me/pushSubscriptions/{id}", {
    params: { path: { id } },
    body: { endpoint: endpoint!, keys: { auth: keys!["auth"]!, p256dh: keys!["p256dh"]! } },
  });
  await queries.invalidateQueries({ queryKey: readerKeys.push });
}

/** Ends that: also before a sign-out, or the next one here would be told of what is not theirs. */
export async function tellNoMore(): Promise<void> {
  await unsubscribe();
  const id = localStorage.getItem(place);
  if (id === null) return;
  await hibana.DELETE("/v1/users/me/pushSubscriptions/{id}", { params: { path: { id } } });
  localStorage.removeItem(place);
  await queries.invalidateQueries({ queryKey: readerKeys.push });
}

/** Lets this browser hear no more, whatever the API knows of it, and takes away what it shows. */
export async function unsubscribe(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe().catch(() => false);
  (await worker?.getNotifications())?.forEach((shown) => shown.close());
}
