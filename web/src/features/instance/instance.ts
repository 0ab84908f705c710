import "../../i18n/instance";
import { useQuery } from "@tanstack/react-query";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { instanceKeys } from "./keys";

export type Instance = Schemas["Instance"];

const key = instanceKeys.instance;

let anew = false;

async function read(): Promise<Instance> {
  const cache = anew ? "no-cache" : "default";
  anew = false;
  return await body(hibana.GET("/v1/instance", { params: { query: { format: "html" } }, cache }));
}

/**
 * Reads what this server says of itself: its rules, terms and limits. Only pages that show it ask,
 * and the browser's cache answers for as long as the API allows.
 */
export function useInstance() {
  return useQuery({ queryKey: key, staleTime: 60_000, queryFn: read });
}

/** Reads it anew past the browser's cache, as after terms_changed. */
export function again(): Promise<void> {
  anew = true;
  return queries.invalidateQueries({ queryKey: key });
}

/** Puts in what an administrator changed, which the public answer has within a minute. */
export const put = (instance: Instance) => queries.setQueryData(key, instance);

const invitation = "hibana.invitation";

/**
 * Returns the code of the invitation by whose link somebody came, also after the sign-up that came
 * between.
 */
export function invited(search: string): string {
  const code = new URLSearchParams(search).get("invitation");
  try {
    if (code) sessionStorage.setItem(invitation, code);
    return code ?? sessionStorage.getItem(invitation) ?? "";
  } catch {
    return code ?? ""; // a browser without storage
  }
}

/** Forgets the invitation once it is used. */
export function joined(): void {
  try {
    sessionStorage.removeItem(invitation);
  } catch {
    // a browser without storage
  }
}

/** Returns the link by which people sign up with an invitation. */
export const invitationLink = (code: string) =>
  `${location.origin}/sign-up?invitation=${encodeURIComponent(code)}`;
