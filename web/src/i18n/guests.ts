import i18next from "i18next";
import { en } from "./guests.en";
import { ja } from "./guests.ja";

// The sentences about orders of guests come with the pages that show them.
const silent = { silent: true };
i18next.addResourceBundle("en", "guests", en, false, false, silent);
i18next.addResourceBundle("ja", "guests", ja, false, false, silent);
