import i18next from "i18next";
import { later } from "./later.en";

// As the sentences about messages; those in Japanese are a file of their own.
i18next.addResourceBundle("en", "translation", later, true, true, { silent: true });
