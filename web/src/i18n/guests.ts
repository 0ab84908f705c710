import { subject } from "../lib/speech";
import { en } from "./guests.en";

// The sentences about orders of guests come with the pages that show them.
await subject("guests", en, () => import("./guests.ja"));
