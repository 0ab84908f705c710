import type { en } from "../../i18n/apps.en";

/** The name of the sentence about a scope. */
export type Said = keyof (typeof en)["scopes"];

/** The scopes that the sentence about another one says, too. */
const within = (scope: string, all: readonly string[]) => {
  const at = scope.lastIndexOf(":");
  return (
    (at > 0 && all.includes(scope.slice(0, at))) ||
    (all.includes("follow") && /^(read|write):(follows|blocks|mutes)$/.test(scope)) ||
    (scope === "profile" && (all.includes("read") || all.includes("read:accounts")))
  );
};

/** Returns the sentences that say what scopes allow, each once, and none that another one says. */
export function said(scopes: readonly string[]): Said[] {
  const all = scopes
    .filter((scope) => !within(scope, scopes))
    .map((scope) =>
      scope.startsWith("admin:")
        ? scope.startsWith("admin:read")
          ? "admin_read"
          : "admin_write"
        : (scope.replace(":", "_") as Said),
    );
  return [...new Set<Said>(all)];
}

/** Whether scopes hand over rights of staff. */
export const ofStaff = (scopes: readonly string[]) =>
  scopes.some((scope) => scope.startsWith("admin:"));
