import { subject } from "../lib/speech";
import { en } from "./policy.en";

// These sentences come with the parts that show them.
await subject("policy", en, () => import("./policy.ja"));
