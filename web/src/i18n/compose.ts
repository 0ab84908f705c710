import i18next from "i18next";
import { en } from "./compose.en";
import { ja } from "./compose.ja";

// These sentences come with the parts that show them, and no part that is on the page waits for
// them.
const silent = { silent: true };
i18next.addResourceBundle("en", "compose", en, false, false, silent);
i18next.addResourceBundle("ja", "compose", ja, false, false, silent);
