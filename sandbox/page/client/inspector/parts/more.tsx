// What is there to look at for whoever opens it.
import type { ComponentChildren } from "preact";

interface MoreProps {
  readonly title: string;
  readonly count: number;
  readonly children: ComponentChildren;
}

export function More({ title, count, children }: MoreProps) {
  return (
    <details>
      <summary class="subtext">
        {title} <span class="count">{count}</span>
      </summary>
      {children}
    </details>
  );
}
