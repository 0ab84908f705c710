import type { toast as sonner } from "sonner";
import { hurry } from "./drawn";

type Said = Parameters<typeof sonner>;

const say =
  (kind?: "success" | "error") =>
  (...said: Said) => {
    hurry();
    import("sonner").then(
      ({ toast }) => (kind ? toast[kind](...said) : toast(...said)),
      () => undefined,
    );
  };

/**
 * Short messages at the edge of the page. What draws them comes after the first page, or with the
 * first of them.
 */
export const toast = Object.assign(say(), { success: say("success"), error: say("error") });
