import { add } from "../lib/speech";
import { later } from "./later.en";

// As the sentences about messages; those in Japanese are a file of their own.
add("en", "translation", later, { quiet: true });
