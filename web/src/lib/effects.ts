import { options } from "preact";

/**
 * Runs effects in the same turn as what they follow. Preact runs them after the next frame, so
 * what somebody types and leaves at once would not be kept, and each read would begin a frame later.
 */
options.requestAnimationFrame = (run) => queueMicrotask(run);
