import { afterEach, expect, test, vi } from "vitest";

// What leaves may fail: its scripts do not load without a network, or Firebase Auth throws.

afterEach(() => vi.doUnmock("../src/lib/leave"));

test("a sign-out that fails says so to whoever asked, and can be tried again", async () => {
  vi.resetModules();
  let works = false;
  const asked: (string[] | undefined)[] = [];
  const waited: string[] = [];
  vi.doMock("../src/lib/leave", () => ({
    leave: async (apps: string[] | undefined, settled: () => Promise<unknown>) => {
      asked.push(apps);
      await settled();
      if (!works) throw new TypeError("Failed to fetch");
    },
  }));
  const { onLeave, signOut } = await import("../src/lib/session");
  onLeave(async () => void waited.push("deletions"));
  onLeave(() => Promise.reject(new Error("refused"))); // what is sent last may fail: people leave
  await expect(signOut()).rejects.toThrow("Failed to fetch");
  works = true;
  await signOut(["hibana-2"]);
  expect(asked).toEqual([undefined, ["hibana-2"]]);
  expect(waited).toEqual(["deletions", "deletions"]);
});
