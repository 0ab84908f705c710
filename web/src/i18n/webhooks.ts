import { subject } from "../lib/speech";
import { en } from "./webhooks.en";

// The sentences about webhooks come with their page.
await subject("webhooks", en, () => import("./webhooks.ja"));
