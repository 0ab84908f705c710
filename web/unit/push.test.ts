import { beforeEach, expect, test, vi } from "vitest";
import { unsubscribe } from "../src/lib/push";

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
