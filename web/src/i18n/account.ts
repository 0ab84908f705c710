import { subject } from "../lib/speech";
import { en } from "./account.en";

// The sentences about how somebody signs in come with the parts that show them.
await subject("account", en, () => import("./account.ja"));
