import { lazy, useLayoutEffect, type ComponentType } from "react";
import { onReturn } from "./network";

let done: () => void;

/** Is there when the first page was drawn and painted: what can wait comes after it. */
export const drawn = new Promise<void>((resolve) => (done = resolve));

/** Ends the wait, for what must be shown at once. */
export const hurry = () => done();

// How many parts of the page are still on their way.
let undrawn = 0;

/**
 * Says that the part is on its way while on is true: the page counts as drawn when no part says so.
 */
export function useUndrawn(on = true): void {
  useLayoutEffect(() => {
    if (!on) return;
    undrawn++;
    return () => {
      undrawn--;
      // What follows this part may be on its way too. A window that nobody sees paints nothing.
      const look = () => setTimeout(() => undrawn === 0 && done());
      if (document.hidden) look();
      else requestAnimationFrame(look);
    };
  }, [on]);
}

/**
 * Makes a part that is loaded when the page was drawn, or as soon as something else is there. Where
 * it cannot be loaded, as without a network, the page does without it until somebody returns.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any properties, as React.lazy has it
export const late = <Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
  when: Promise<void> = drawn,
) =>
  lazy(() =>
    Promise.race([drawn, when])
      .then(load)
      .catch(
        () =>
          new Promise<{ default: Part }>((there) => {
            const stop = onReturn(
              () =>
                void load().then(
                  (part) => (stop(), there(part)),
                  () => undefined,
                ),
            );
          }),
      ),
  );
