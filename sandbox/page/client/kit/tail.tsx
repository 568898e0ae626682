// A list that grows at its end. Its column is reversed, so the browser itself follows the end for a reader who is there, and
// does not scroll for one who reads further up.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** A reader within this distance of the end counts as being there. */
const NEAR_END_PX = 80;

interface TailProps {
  readonly class: string;
  readonly jump: string;
  /** Each change of this value scrolls to the end. */
  readonly end?: number;
  readonly children: ComponentChildren;
}

export function Tail({ class: name, jump, end, children }: TailProps) {
  const list = useRef<HTMLDivElement>(null);
  const isAway = useSignal(false);
  const toEnd = () => list.current?.scrollTo(0, 0);
  useLayoutEffect(toEnd, [end]);
  return (
    <div class="tail">
      <div
        ref={list}
        class={`tail-list ${name}`}
        tabIndex={-1}
        onScroll={({ currentTarget }) => {
          isAway.value = currentTarget.scrollTop < -NEAR_END_PX;
        }}
      >
        <div>{children}</div>
      </div>
      {isAway.value && (
        <button type="button" class="button to-end" onClick={toEnd}>
          {jump} <Icon name="down" />
        </button>
      )}
    </div>
  );
}
