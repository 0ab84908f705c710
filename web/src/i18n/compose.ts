import { subject } from "../lib/speech";
import { en } from "./compose.en";

// These sentences come with the parts that show them, and no part that is on the page waits for
// them.
await subject("compose", en, () => import("./compose.ja"));
