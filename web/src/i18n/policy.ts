import i18next from "i18next";
import { en } from "./policy.en";
import { ja } from "./policy.ja";

// These sentences come with the parts that show them, and no part that is on the page waits for
// them.
const silent = { silent: true };
i18next.addResourceBundle("en", "policy", en, false, false, silent);
i18next.addResourceBundle("ja", "policy", ja, false, false, silent);
