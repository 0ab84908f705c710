import axe from "axe-core";
import { expect, type Page } from "@playwright/test";

const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };
const colours = ["color-contrast", "link-in-text-block"]; // of all rules these alone look at colours

/**
 * Sees to it that a page is as wide as the window and accessible, on a phone and on a desktop, in
 * light and in dark, and photographs each.
 */
export async function check(page: Page, name: string) {
  await page.evaluate(axe.source);
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const look = `${name}-${size}-${colorScheme}`;
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        `${look} is wider than the window`,
      ).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `screenshots/${look}.png`, animations: "disabled" });
      expect(await violations(page, colorScheme === "dark" ? colours : undefined), look).toEqual(
        [],
      );
    }
  }
}

/**
 * Returns what rules of axe find, or all rules. Without what they find in order, axe takes half the
 * time. With targets it also asks for the 24 pixels of WCAG 2.2 AA, which axe leaves out by itself.
 */
export const violations = (page: Page, rules?: string[], targets = false) =>
  page.evaluate(
    async ([rules, targets]) => {
      // A button that has just changed has the background of before under the text of now.
      const changing = document.getAnimations().filter((one) => one instanceof CSSTransition);
      await Promise.allSettled(changing.map((one) => one.finished));
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ["violations"],
        ...(rules && { runOnly: rules }),
        ...(targets && { rules: { "target-size": { enabled: true } } }),
      });
      return violations.map(
        (v) =>
          `${v.id}: ${v.help}: ${v.nodes
            .map((n) => `${n.html} ${n.any[0]?.message ?? ""}`)
            .slice(0, 3)
            .join(" | ")}`,
      );
    },
    [rules, targets] as const,
  );
