import i18next from "i18next";
import { en } from "./appeals.en";
import { ja } from "./appeals.ja";

// The sentences about appeals come with the pages that show them.
const silent = { silent: true };
i18next.addResourceBundle("en", "appeals", en, false, false, silent);
i18next.addResourceBundle("ja", "appeals", ja, false, false, silent);
