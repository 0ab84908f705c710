import { useTranslation } from "../../../lib/speech";
import { policies, type Policy } from "../drafts";

/** Who may reply, or quote. */
export function Policies({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Policy;
  onChange: (policy: Policy) => void;
}) {
  const { t } = useTranslation();
  return (
    <label className="field">
      <span>{label}</span>
      <select
        className="input"
        value={value}
        onChange={(event) => onChange(event.target.value as Policy)}
      >
        {policies.map((who) => (
          <option key={who} value={who}>
            {t(`tweet.policy.${who}`)}
          </option>
        ))}
      </select>
    </label>
  );
}
