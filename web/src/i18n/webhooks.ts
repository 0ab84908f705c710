import i18next from "i18next";
import { en } from "./webhooks.en";
import { ja } from "./webhooks.ja";

// The sentences about webhooks come with their page.
const silent = { silent: true };
i18next.addResourceBundle("en", "webhooks", en, false, false, silent);
i18next.addResourceBundle("ja", "webhooks", ja, false, false, silent);
