// Words that are veiled until somebody wants to know.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export function Spoiler({ children }: { readonly children: ComponentChildren }) {
  const [isShown, setShown] = useState(false);
  return isShown ? (
    <span class="spoiler shown">{children}</span>
  ) : (
    <button type="button" class="spoiler" aria-label="Show spoiler" onClick={() => setShown(true)}>
      <span inert>{children}</span>
    </button>
  );
}
