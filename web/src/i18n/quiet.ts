import i18next from "i18next";
import { en } from "./quiet.en";
import { ja } from "./quiet.ja";

// The sentences about mutes, blocks and filters come with the parts that show them.
i18next.addResourceBundle("en", "quiet", en);
i18next.addResourceBundle("ja", "quiet", ja);
