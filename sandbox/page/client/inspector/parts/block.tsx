// A part of a panel, with its title.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface BlockProps {
  readonly title: ComponentChildren;
  /** Said beside the title. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Block({ title, aside, children }: BlockProps) {
  const id = useId();
  return (
    <section class="block card" aria-labelledby={id}>
      <header class="row">
        <h3 class="row" id={id}>
          {title}
        </h3>
        <span class="subtext">{aside}</span>
      </header>
      {children}
    </section>
  );
}
