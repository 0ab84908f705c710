import { subject } from "../lib/speech";
import { en } from "./lists.en";

// The sentences about lists and followed tags come with the parts that show them.
await subject("lists", en, () => import("./lists.ja"));
