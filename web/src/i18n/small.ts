import i18next from "i18next";
import { en } from "./small.en";
import { ja } from "./small.ja";

// These sentences come with the parts that show them, and no part that is on the page waits for
// them.
const silent = { silent: true };
i18next.addResourceBundle("en", "small", en, false, false, silent);
i18next.addResourceBundle("ja", "small", ja, false, false, silent);
