// A round button with only a picture on it; its label is said and shown on hover.
import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly class?: string;
  /** For a switch: whether it is on. */
  readonly isPressed?: boolean;
  /** For what opens something: whether that is open. */
  readonly isExpanded?: boolean;
  readonly opens?: "menu" | "dialog";
  readonly onClick: (event: MouseEvent) => void;
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
