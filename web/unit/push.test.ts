import { beforeEach, expect, test, vi } from "vitest";
import { tellNoMore, tellStill, unsubscribe } from "../src/lib/push";

const end = vi.fn(async () => true);
const shown = ["ann", "ben"].map((uid) => ({ data: { uid }, close: vi.fn() }));

beforeEach(() => {
  vi.clearAllMocks();
  localStorage.clear();
  const registration = {
    pushManager: { getSubscription: async () => ({ unsubscribe: end }) },
    getNotifications: async () => shown,
  };
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { getRegistration: async () => registration },
  });
});

test("a browser hears on for its other accounts, and shows what is theirs", async () => {
  localStorage.setItem("hibana.device.ann", "1");
  localStorage.setItem("hibana.device.ben", "2");
  await unsubscribe("ann");
  expect(end).not.toHaveBeenCalled();
  expect(shown.map(({ close }) => close.mock.calls.length)).toEqual([1, 0]);
});

test("with its last account a browser hears no more", async () => {
  localStorage.setItem("hibana.device.ann", "1");
  await unsubscribe("ann");
  expect(end).toHaveBeenCalledOnce();
  expect(shown.map(({ close }) => close.mock.calls.length)).toEqual([1, 1]);
});

/** Lets Ann be signed in, and tells what the API is asked. */
function signedIn(ways: object = {}): string[] {
  localStorage.setItem(
    "firebase:authUser:key:[DEFAULT]",
    JSON.stringify({
      uid: "ann",
      isAnonymous: false,
      stsTokenManager: {
        accessToken: "token",
        refreshToken: "refresh",
        expirationTime: Date.now() + 3_600_000,
      },
    }),
  );
  const asked: string[] = [];
  vi.stubGlobal("indexedDB", {
    open: () => {
      const request = { error: { name: "AbortError" }, onerror: () => undefined };
      queueMicrotask(() => request.onerror());
      return request;
    },
  });
  vi.stubGlobal("fetch", async (request: Request | string) => {
    if (typeof request === "string") return new Response("{}");
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return request.method === "GET" ? Response.json(ways) : new Response(null, { status: 204 });
  });
  return asked;
}

test("what was registered before a browser had several accounts is its first account's, and ends at its sign-out", async () => {
  localStorage.setItem("hibana.device", "old");
  localStorage.setItem("hibana.device.ben", "2");
  const asked = signedIn();
  try {
    await tellNoMore();
  } finally {
    vi.unstubAllGlobals();
  }
  expect(asked).toEqual(["DELETE /v1/users/me/pushSubscriptions/old"]);
  const left = Object.keys(localStorage).filter((key) => key.startsWith("hibana.device"));
  expect(left).toEqual(["hibana.device.ben"]);
  expect(end).not.toHaveBeenCalled(); // Ben's notifications come on
});

test("an old registration is no other account's: it keeps the browser hearing until its own is signed out", async () => {
  vi.resetModules();
  const { apps, own } = await import("../src/lib/accounts");
  localStorage.setItem("hibana.device", "old");
  localStorage.setItem("hibana.device.ben", "2");
  localStorage.setItem(
    "hibana.accounts",
    JSON.stringify([{ app: apps[1], uid: "ben", username: "ben", nickname: "Ben", avatar: "" }]),
  );
  sessionStorage.setItem(own, apps[1]!);
  vi.resetModules();
  const push = await import("../src/lib/push");
  await push.unsubscribe("ben");
  expect(end).not.toHaveBeenCalled();
  sessionStorage.clear();
});

test("after a new password a browser that hears is registered again, and one that does not is not", async () => {
  const asked = signedIn({ webPush: true, vapidPublicKey: "key" });
  const subscribe = vi.fn(async () => ({
    toJSON: () => ({ endpoint: "https://push.example.com/1", keys: { auth: "a", p256dh: "b" } }),
  }));
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { ready: Promise.resolve({ pushManager: { subscribe } }) },
  });
  vi.stubGlobal("Notification", { requestPermission: async () => "granted" });
  try {
    await tellStill();
    expect(asked).toEqual([]);
    localStorage.setItem("hibana.device.ann", "1");
    await tellStill();
  } finally {
    vi.unstubAllGlobals();
  }
  expect(asked).toEqual(["GET /v1/push", "PUT /v1/users/me/pushSubscriptions/1"]);
});
