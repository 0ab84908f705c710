import { subject } from "../lib/speech";
import { en } from "./domains.en";

// The sentences about domains of the fediverse come with their page.
await subject("domains", en, () => import("./domains.ja"));
