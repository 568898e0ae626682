// A finger that stays: what the right mouse button is elsewhere.
import type { JSX } from "preact";

/** So long, in milliseconds, as the usual phones take. */
const LONG_MS = 500;

/** Of the one finger that may stay at a time. */
let timer = 0;

const cancel = () => clearTimeout(timer);

/** Handlers for an element. `open` is told where, once for each press; moving away is no press. */
export function longPress(open: (at: { readonly clientX: number; readonly clientY: number }) => void) {
  return {
    onPointerDown(event: JSX.TargetedPointerEvent<HTMLElement>) {
      if (event.pointerType === "touch") {
        const { clientX, clientY } = event;
        cancel();
        timer = setTimeout(() => open({ clientX, clientY }), LONG_MS);
      }
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onPointerMove(event: JSX.TargetedPointerEvent<HTMLElement>) {
      if (Math.abs(event.movementX) + Math.abs(event.movementY) > 4) {
        cancel();
      }
    },
  };
}
