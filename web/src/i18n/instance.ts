import i18next from "i18next";
import { en } from "./instance.en";
import { ja } from "./instance.ja";

// These sentences come with the pages that show them, which are no part of the first page.
const silent = { silent: true };
i18next.addResourceBundle("en", "instance", en, false, false, silent);
i18next.addResourceBundle("ja", "instance", ja, false, false, silent);
