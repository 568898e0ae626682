// A column of the page. On a phone, it slides in over the chat and takes the focus; Escape or a press beside it closes it.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { drawer, isNarrow } from "../state/layers.ts";

interface DrawerProps {
  readonly side: "places" | "people" | "inspector";
  readonly children: ComponentChildren;
}

const close = () => {
  drawer.value = undefined;
};

export function Drawer({ side, children }: DrawerProps) {
  const node = useRef<HTMLDivElement>(null);
  const isOpen = drawer.value === side;
  // Read before the effect, because an open drawer makes the chat inert, which takes the focus away.
  const before = useMemo(() => document.activeElement, [isOpen]);
  useLayoutEffect(() => {
    if (isOpen) {
      node.current?.querySelector<HTMLElement>("button, [href], input, select")?.focus();
    }
  }, [isOpen]);
  // Later than in a layout effect, when the chat is no longer inert.
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    return () => {
      if (before instanceof HTMLElement && before.isConnected) {
        before.focus();
      }
    };
  }, [isOpen]);
  const isAway = isNarrow.value && !isOpen;
  return (
    <>
      {isNarrow.value && isOpen && <div class="scrim" onClick={close} />}
      <div
        ref={node}
        class={`column column-${side} ${isAway ? "away" : ""}`}
        inert={isAway}
        // Pressing an empty area keeps the focus inside, so Escape still closes the drawer.
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key === "Escape" && isNarrow.value) {
            close();
          }
        }}
      >
        {children}
      </div>
    </>
  );
}
