// The arrow keys lead from message to message.
import type { JSX } from "preact";

/** For the list that holds them; keys within a message are its own. */
export function walkMessages(event: JSX.TargetedKeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  const from = target instanceof HTMLElement && target.parentElement === currentTarget ? target : undefined;
  const all = [...currentTarget.querySelectorAll<HTMLElement>(":scope > .message[tabindex]")];
  const at = from === undefined ? -1 : all.indexOf(from);
  const next = at < 0 ? undefined : all[goal(key, at, all.length)];
  if (next !== undefined && next !== from) {
    event.preventDefault();
    next.focus();
  }
}

function goal(key: string, at: number, count: number): number {
  switch (key) {
    case "ArrowUp":
      return at - 1;
    case "ArrowDown":
      return at + 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return -1;
  }
}
