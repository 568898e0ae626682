// Where something opens from.
import type { Spot } from "./place-near.ts";

/** The place of an element, or of a pointer. */
export function spotOf(from: Element | { readonly clientX: number; readonly clientY: number }): Spot {
  if ("clientX" in from) {
    return { left: from.clientX, top: from.clientY, width: 0, height: 0 };
  }
  const { left, top, width, height } = from.getBoundingClientRect();
  return { left, top, width, height };
}
