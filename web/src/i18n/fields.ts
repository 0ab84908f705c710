import i18next from "i18next";
import { en } from "./fields.en";
import { ja } from "./fields.ja";

// The sentences about fields come with the pages that show them.
const silent = { silent: true };
i18next.addResourceBundle("en", "fields", en, false, false, silent);
i18next.addResourceBundle("ja", "fields", ja, false, false, silent);
