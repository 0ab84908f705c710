import type { toast as sonner } from "sonner";

type Said = Parameters<typeof sonner>;

const say = (kind?: "success" | "error") => (...said: Said) =>
  void import("sonner").then(({ toast }) => (kind ? toast[kind](...said) : toast(...said)), () => undefined);

/** Short messages at the edge of the page. What draws them comes after the first tweets. */
export const toast = Object.assign(say(), { success: say("success"), error: say("error") });
