import type { en } from "./en";

/** What another language has to say: every sentence of the English catalogue. */
export type Same<T> = { [K in keyof T]: T[K] extends string ? string : Same<T[K]> };
export type Catalogue = Same<typeof en>;
