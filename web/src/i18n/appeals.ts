import { subject } from "../lib/speech";
import { en } from "./appeals.en";

// The sentences about appeals come with the pages that show them.
await subject("appeals", en, () => import("./appeals.ja"));
