import { Switch } from "radix-ui";

/** Something that is on or off. */
export function Toggle({
  label,
  on,
  onChange,
  disabled,
}: {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label className="switch">
      <bdi>{label}</bdi>
      <Switch.Root
        checked={on}
        onCheckedChange={onChange}
        disabled={disabled ?? false}
        aria-label={label}
      >
        <Switch.Thumb />
      </Switch.Root>
    </label>
  );
}
