import { subject } from "../lib/speech";
import { en } from "./moving.en";

// The sentences about moves between servers come with the settings.
await subject("moving", en, () => import("./moving.ja"));
