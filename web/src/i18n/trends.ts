import i18next from "i18next";
import { en } from "./trends.en";
import { ja } from "./trends.ja";

// The sentences about the review of trends come with its page.
const silent = { silent: true };
i18next.addResourceBundle("en", "trends", en, false, false, silent);
i18next.addResourceBundle("ja", "trends", ja, false, false, silent);
