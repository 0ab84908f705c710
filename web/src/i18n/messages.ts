import i18next from "i18next";
import { en } from "./messages.en";
import { ja } from "./messages.ja";

// The sentences about messages come with the parts that show them. No part that is on the page
// waits for them: it would draw its texts anew.
const silent = { silent: true };
i18next.addResourceBundle("en", "messages", en, false, false, silent);
i18next.addResourceBundle("ja", "messages", ja, false, false, silent);
