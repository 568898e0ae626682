// Goes to a message that somebody points at, and points it out.
import { useEffect } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { jumpTarget } from "../state/layers.ts";

/** So long it is pointed out, in milliseconds. */
const LIT_MS = 2000;

/** Waits for the message if it has not come yet. */
export function useJump(all: readonly ChatMessage[]): void {
  const target = jumpTarget.value;
  useEffect(() => {
    const node = target === undefined ? null : document.getElementById(`message-${target}`);
    if (node !== null) {
      jumpTarget.value = undefined;
      node.scrollIntoView({ block: "center" });
      node.focus({ preventScroll: true });
      node.classList.add("lit");
      setTimeout(() => node.classList.remove("lit"), LIT_MS);
    }
  }, [target, all]);
}
