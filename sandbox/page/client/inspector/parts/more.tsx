// What is there to look at for whoever opens it.
import type { ComponentChildren } from "preact";
import { Icon } from "../../kit/icon.tsx";

interface MoreProps {
  readonly title: string;
  readonly count?: number;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

export function More({ title, count, isOpen = false, children }: MoreProps) {
  return (
    <details class="more" open={isOpen}>
      <summary>
        <Icon name="right" />
        {title}
        {count !== undefined && <span class="more-count">{count}</span>}
      </summary>
      {children}
    </details>
  );
}
