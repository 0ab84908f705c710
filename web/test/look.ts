import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Every look that a page has to be good in. */
export const looks = [["phone", { width: 360, height: 740 }], ["desktop", { width: 1280, height: 900 }]] as const;

/** Sees to it that a page is as wide as the window and accessible, and photographs it. */
export async function check(page: Page, name: string) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${name} is wider than the window`).toBeLessThanOrEqual(0);
  await page.screenshot({ path: `screenshots/${name}.png`, animations: "disabled" });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => `${n.html} ${n.any[0]?.message ?? ""}`).slice(0, 3).join(" | ")}`), name).toEqual([]);
}
