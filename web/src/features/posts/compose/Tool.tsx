import {
  ChartBar,
  Eye,
  SlidersHorizontal,
  Smile,
  TriangleAlert,
  type LucideIcon,
} from "lucide-react";

/** A button of the row of tools, which is on or off. */
export function Tool({
  icon: Icon,
  label,
  on,
  opens,
  onClick,
}: {
  icon: LucideIcon;
  label: string;
  on: boolean;
  /** Whether it opens something, and changes nothing of the tweet. */
  opens?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="icon"
      aria-pressed={opens ? undefined : on}
      aria-expanded={opens ? on : undefined}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon size={20} aria-hidden="true" />
    </button>
  );
}

export const icons = {
  emoji: Smile,
  options: SlidersHorizontal,
  poll: ChartBar,
  preview: Eye,
  warning: TriangleAlert,
};
