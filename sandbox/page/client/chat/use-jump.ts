// Goes to a message that somebody points at, and points it out.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { jumpTarget } from "../state/layers.ts";

/** So long it is pointed out, in milliseconds. */
const LIT_MS = 2000;

/** Waits for the message if it has not come yet. */
export function useJump(list: RefObject<HTMLElement>, all: readonly ChatMessage[]): void {
  const target = jumpTarget.value;
  useEffect(() => {
    if (target === undefined) {
      return;
    }
    const node = list.current?.querySelector(`#message-${CSS.escape(target)}`);
    if (node instanceof HTMLElement) {
      jumpTarget.value = undefined;
      node.scrollIntoView({ block: "center" });
      node.focus({ preventScroll: true });
      node.classList.add("lit");
      setTimeout(() => node.classList.remove("lit"), LIT_MS);
    }
  }, [target, all]);
}
