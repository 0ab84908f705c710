import { subject } from "../lib/speech";
import { en } from "./held.en";

// The sentences about replies that wait come with the parts that show them.
await subject("held", en, () => import("./held.ja"));
