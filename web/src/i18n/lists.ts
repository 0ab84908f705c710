import i18next from "i18next";
import { en } from "./lists.en";
import { ja } from "./lists.ja";

// The sentences about lists and followed tags come with the parts that show them. No part that is
// on the page waits for them: it would draw its texts anew.
const silent = { silent: true };
i18next.addResourceBundle("en", "lists", en, false, false, silent);
i18next.addResourceBundle("ja", "lists", ja, false, false, silent);
