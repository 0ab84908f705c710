import { subject } from "../lib/speech";
import { en } from "./quiet.en";

// The sentences about mutes, blocks and filters come with the parts that show them.
await subject("quiet", en, () => import("./quiet.ja"));
