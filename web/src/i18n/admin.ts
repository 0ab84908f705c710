import i18next from "i18next";
import { en } from "./admin.en";
import { ja } from "./admin.ja";

// The sentences of those who look after the others come with their pages.
i18next.addResourceBundle("en", "admin", en);
i18next.addResourceBundle("ja", "admin", ja);
