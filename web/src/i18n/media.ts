import i18next from "i18next";
import { en } from "./media.en";
import { ja } from "./media.ja";

// The sentences about pictures come with the parts that show them.
i18next.addResourceBundle("en", "media", en);
i18next.addResourceBundle("ja", "media", ja);
