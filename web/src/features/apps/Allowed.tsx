import { useTranslation } from "../../lib/speech";
import { said } from "./scopes";

/** What an app may do, in words. */
export function Allowed({ scopes }: { scopes: readonly string[] }) {
  const { t } = useTranslation("apps");
  return (
    <ul style={{ listStyle: "disc", paddingInlineStart: "var(--space-4)" }}>
      {said(scopes).map((one) => (
        <li key={one}>{t(`scopes.${one}`)}</li>
      ))}
    </ul>
  );
}
