import { useQuery } from "@tanstack/react-query";
import { body, hibana, queries } from "./api";

// The id of this browser among the devices of an account.
const place = "hibana.device";

/** Tells whether this browser can be told of notifications, and is. */
export function usePush() {
  return useQuery({
    queryKey: ["push"], meta: { keep: false },
    queryFn: async () => {
      const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
      const ways = able ? await body(hibana.GET("/v1/push", {})) : undefined;
      return { key: ways?.webPush ? ways.vapidPublicKey : undefined, on: able && Notification.permission === "granted" && localStorage.getItem(place) !== null };
    },
  });
}

/** Registers this browser. It asks the reader first. */
export async function tellHere(key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") return;
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  const id = localStorage.getItem(place) ?? crypto.randomUUID();
  await hibana.PUT("/v1/users/me/pushSubscriptions/{id}", { params: { path: { id } }, body: { endpoint: endpoint!, keys: { auth: keys!["auth"]!, p256dh: keys!["p256dh"]! } } });
  localStorage.setItem(place, id);
  await queries.invalidateQueries({ queryKey: ["push"] });
}

/** Ends that: also before a sign-out, or the next one here would be told of what is not theirs. */
export async function tellNoMore(): Promise<void> {
  const id = localStorage.getItem(place);
  if (id === null) return;
  localStorage.removeItem(place);
  await hibana.DELETE("/v1/users/me/pushSubscriptions/{id}", { params: { path: { id } } });
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  await queries.invalidateQueries({ queryKey: ["push"] });
}
