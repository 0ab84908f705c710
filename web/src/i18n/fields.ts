import { subject } from "../lib/speech";
import { en } from "./fields.en";

// The sentences about fields come with the pages that show them.
await subject("fields", en, () => import("./fields.ja"));
