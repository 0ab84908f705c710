import { subject } from "../lib/speech";
import { en } from "./find.en";

// The sentences about people to follow come with the parts that show them.
await subject("find", en, () => import("./find.ja"));
