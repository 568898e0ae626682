// Something that opens beside something else and lies above all; a press elsewhere, Escape or scrolling away closes it.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { placeNear, type Spot } from "./place-near.ts";

interface PopoverProps {
  readonly class?: string;
  /** Asked again whenever it is placed. */
  readonly spot: () => Spot;
  readonly side?: "above" | "below";
  /** As wide as the spot at least. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/**
 * In the browser's top layer: no scrolling or clipping ancestor cuts it. What it holds says its role, and by
 * `autofocus` what gets the focus: before it is shown nothing in it can.
 */
export function Popover({
  class: name = "",
  spot,
  side = "below",
  isWide = false,
  onClose,
  children,
}: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = box.current;
    if (node === null) {
      return undefined;
    }
    if (!node.matches(":popover-open")) {
      node.showPopover();
    }
    const place = () => {
      const from = spot();
      if (isWide) {
        node.style.minWidth = `${from.width}px`;
      }
      const { left, top } = placeNear(
        from,
        { width: node.offsetWidth, height: node.offsetHeight },
        { width: innerWidth, height: innerHeight },
        side,
      );
      node.style.left = `${left}px`;
      node.style.top = `${top}px`;
    };
    place();
    const watch = new ResizeObserver(place);
    watch.observe(node);
    addEventListener("resize", place);
    return () => {
      watch.disconnect();
      removeEventListener("resize", place);
    };
  });
  useCloseElsewhere(box, onClose);
  return (
    <div ref={box} popover="manual" class={`popover ${name}`}>
      {children}
    </div>
  );
}

function useCloseElsewhere(box: { readonly current: HTMLElement | null }, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  // Before it is drawn: whoever sees it may close it at once.
  useLayoutEffect(() => {
    const isInside = ({ target }: Event) => target instanceof Node && box.current?.contains(target) === true;
    const elsewhere = (event: Event) => {
      if (!isInside(event)) {
        close.current();
      }
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        close.current();
      }
    };
    document.addEventListener("pointerdown", elsewhere, true);
    document.addEventListener("wheel", elsewhere, { capture: true, passive: true });
    document.addEventListener("keydown", escape, true);
    return () => {
      document.removeEventListener("pointerdown", elsewhere, true);
      document.removeEventListener("wheel", elsewhere, true);
      document.removeEventListener("keydown", escape, true);
    };
  }, [box]);
}
