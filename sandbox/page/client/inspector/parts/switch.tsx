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
      class="setting row"
      aria-checked={isOn}
      aria-labelledby={id}
      aria-describedby={`${id}-about`}
      onClick={() => onTurn(!isOn)}
    >
      <span class="stack rest">
        <strong id={id}>{label}</strong>
        <span class="subtext" id={`${id}-about`}>
          {children}
        </span>
      </span>
      <span class="switch" aria-hidden="true" />
    </button>
  );
}
