import { subject } from "../lib/speech";
import { en } from "./messages.en";

// The sentences about messages come with the parts that show them.
await subject("messages", en, () => import("./messages.ja"));
