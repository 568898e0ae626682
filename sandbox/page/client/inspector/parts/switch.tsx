// On or off, at once.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface SwitchProps {
  readonly label: string;
  /** What it does, below the label. */
  readonly children: ComponentChildren;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => void;
}

export function Switch({ label, children, isOn, onTurn }: SwitchProps) {
  const id = useId();
  return (
    <button
      type="button"
      role="switch"
      class="switch-row row"
      aria-checked={isOn}
      aria-labelledby={id}
      aria-describedby={`${id}-about`}
      onClick={() => onTurn(!isOn)}
    >
      <span class="row-words stack">
        <span class="row-title" id={id}>
          {label}
        </span>
        <span class="row-about soft" id={`${id}-about`}>
          {children}
        </span>
      </span>
      <span class="switch" aria-hidden="true" />
    </button>
  );
}
