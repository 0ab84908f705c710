import { subject } from "../lib/speech";
import { en } from "./admin.en";

// The sentences of those who look after the others come with their pages.
await subject("admin", en, () => import("./admin.ja"));
