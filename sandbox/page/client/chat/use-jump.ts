// Goes to a message that somebody points at, and points it out.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { jumpTarget } from "../state/layers.ts";

/** So long it is pointed out, in milliseconds. */
const LIT_MS = 2000;

/** `reach` is told the place of a message that must be drawn first. */
export function useJump(
  list: RefObject<HTMLElement>,
  all: readonly ChatMessage[],
  reach: (index: number) => void,
): void {
  const target = jumpTarget.value;
  useEffect(() => {
    if (target === undefined) {
      return;
    }
    const index = all.findIndex(({ id }) => id === target);
    const node = list.current?.querySelector(`#message-${CSS.escape(target)}`);
    if (node instanceof HTMLElement) {
      jumpTarget.value = undefined;
      node.scrollIntoView({ block: "center" });
      node.focus({ preventScroll: true });
      node.classList.add("lit");
      setTimeout(() => node.classList.remove("lit"), LIT_MS);
    } else if (index >= 0) {
      reach(index);
    }
  });
}
