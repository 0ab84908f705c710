import { speech } from "./speech";
import { toast } from "./toast";
import { HibanaError } from "./api";

/** Returns a sentence that tells a person what went wrong. */
export function sentence(failure: unknown): string {
  if (failure instanceof HibanaError) {
    const known = speech.t(`errors.${failure.code}` as "errors.internal");
    return known.startsWith("errors.") ? failure.message : known;
  }
  return speech.t("state.network");
}

/** Tells whether a failure leaves open what was done. A refusal says that nothing was. */
export const unsure = (failure: unknown) =>
  !(failure instanceof HibanaError && failure.status < 500);

/** Tells of a failure without taking the page away. */
export function tell(failure: unknown): void {
  const text = sentence(failure);
  toast.error(text, { id: text });
}
