import i18next from "i18next";
import { en } from "./account.en";
import { ja } from "./account.ja";

// The sentences about how somebody signs in come with the parts that show them. No part that is
// on the page waits for them: it would draw its texts anew.
const silent = { silent: true };
i18next.addResourceBundle("en", "account", en, false, false, silent);
i18next.addResourceBundle("ja", "account", ja, false, false, silent);
