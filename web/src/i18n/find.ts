import i18next from "i18next";
import { en } from "./find.en";
import { ja } from "./find.ja";

// The sentences about people to follow come with the parts that show them. No part that is on the
// page waits for them: it would draw its texts anew.
const silent = { silent: true };
i18next.addResourceBundle("en", "find", en, false, false, silent);
i18next.addResourceBundle("ja", "find", ja, false, false, silent);
