// A round button that shows only an icon. Screen readers read its label, and hovering shows it.
import type { JSX } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly class?: string;
  /** Whether the button is on, if it is a toggle. */
  readonly isPressed?: boolean;
  /** Whether the thing that the button opens is open. */
  readonly isExpanded?: boolean;
  readonly opens?: "menu" | "dialog";
  readonly onClick: (event: JSX.TargetedMouseEvent<HTMLButtonElement>) => void;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, class: extra = "", isPressed, isExpanded, opens, onClick } = props;
  return (
    <button
      type="button"
      class={`icon-button ${extra}`}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      aria-haspopup={opens}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
