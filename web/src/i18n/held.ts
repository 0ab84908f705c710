import i18next from "i18next";
import { en } from "./held.en";
import { ja } from "./held.ja";

// The sentences about replies that wait come with the parts that show them.
i18next.addResourceBundle("en", "held", en);
i18next.addResourceBundle("ja", "held", ja);
