import { subject } from "../lib/speech";
import { en } from "./trends.en";

// The sentences about the review of trends come with its page.
await subject("trends", en, () => import("./trends.ja"));
