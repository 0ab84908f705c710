import type { Schemas } from "../../lib/api";

export type Request = Schemas["AuthorizationRequest"];

/** What an app asks for in the address of the page, and how. A name that comes twice counts once. */
export function requested(search: string): { request: Request; lang?: string; choose: boolean } {
  const all = new URLSearchParams(search);
  const request: Request = {
    responseType: all.get("response_type") ?? "",
    clientId: all.get("client_id") ?? "",
    redirectUri: all.get("redirect_uri") ?? "",
  };
  const more = {
    scope: all.get("scope"),
    state: all.get("state"),
    codeChallenge: all.get("code_challenge"),
    codeChallengeMethod: all.get("code_challenge_method"),
  };
  for (const [name, value] of Object.entries(more))
    if (value !== null) request[name as keyof typeof more] = value;
  const lang = all.get("lang");
  return {
    request,
    ...(lang && { lang }),
    choose: /^(true|1)$/.test(all.get("force_login") ?? ""),
  };
}

/** Where an answer goes: a host, the scheme of an app, or nowhere for an app that cannot be reached. */
export function destination(uri: string): { host: string } | { scheme: string } | undefined {
  if (uri.startsWith("urn:")) return undefined;
  try {
    const { protocol, host } = new URL(uri);
    return /^https?:$/.test(protocol) ? { host } : { scheme: protocol.slice(0, -1) };
  } catch {
    return { scheme: uri.slice(0, uri.indexOf(":")) };
  }
}

/** Goes to an app. The API takes no address that runs something; this page looks once more. */
export function goTo(address: string): void {
  if (!/^(javascript|data|vbscript|blob|file):/i.test(address.trim())) location.assign(address);
}
