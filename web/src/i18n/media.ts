import { subject } from "../lib/speech";
import { en } from "./media.en";

// The sentences about pictures come with the parts that show them.
await subject("media", en, () => import("./media.ja"));
