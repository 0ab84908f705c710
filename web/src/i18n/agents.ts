import { subject } from "../lib/speech";
import { en } from "./agents.en";

// The sentences about agents come with the pages that show them.
await subject("agents", en, () => import("./agents.ja"));
