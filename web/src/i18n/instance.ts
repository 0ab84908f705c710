import { subject } from "../lib/speech";
import { en } from "./instance.en";

// These sentences come with the pages that show them, which are no part of the first page.
await subject("instance", en, () => import("./instance.ja"));
