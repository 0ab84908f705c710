import { subject } from "../lib/speech";
import { en } from "./apps.en";

// The sentences about apps come with their pages.
await subject("apps", en, () => import("./apps.ja"));
