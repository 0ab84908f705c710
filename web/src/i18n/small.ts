import { subject } from "../lib/speech";
import { en } from "./small.en";

// These sentences come with the parts that show them.
await subject("small", en, () => import("./small.ja"));
