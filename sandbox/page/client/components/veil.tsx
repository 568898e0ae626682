// Hides something until somebody wants to see it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface VeilProps {
  readonly isOn: boolean;
  readonly children: ComponentChildren;
}

export function Veil({ isOn, children }: VeilProps) {
  const [isShown, setShown] = useState(false);
  if (!isOn || isShown) {
    return <>{children}</>;
  }
  return (
    <div class="veil">
      <div class="veiled" inert>
        {children}
      </div>
      <button type="button" class="veil-button" onClick={() => setShown(true)}>
        Spoiler
        <span class="hidden">: show it</span>
      </button>
    </div>
  );
}
