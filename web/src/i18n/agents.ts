import i18next from "i18next";
import { en } from "./agents.en";
import { ja } from "./agents.ja";

// The sentences about agents come with the pages that show them.
const silent = { silent: true };
i18next.addResourceBundle("en", "agents", en, false, false, silent);
i18next.addResourceBundle("ja", "agents", ja, false, false, silent);
