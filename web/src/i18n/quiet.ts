import i18next from "i18next";
import { en } from "./quiet.en";
import { ja } from "./quiet.ja";

// The sentences about mutes, blocks and filters come with the parts that show them. No part that is
// on the page waits for them: it would draw its texts anew.
const silent = { silent: true };
i18next.addResourceBundle("en", "quiet", en, false, false, silent);
i18next.addResourceBundle("ja", "quiet", ja, false, false, silent);
