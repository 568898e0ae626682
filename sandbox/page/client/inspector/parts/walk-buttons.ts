// The arrow keys lead from row to row of a long list, of which Tab reaches one.
import type { JSX } from "preact";

/** For the list that holds the rows; `selector` finds what of each row gets the focus. */
export function walkButtons(event: JSX.TargetedKeyboardEvent<HTMLElement>, selector: string): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const at = all.findIndex((one) => one === event.target);
  if (at < 0) {
    return;
  }
  const goals: Readonly<Record<string, number>> = {
    ArrowUp: Math.max(0, at - 1),
    ArrowDown: Math.min(all.length - 1, at + 1),
    Home: 0,
    End: all.length - 1,
  };
  const goal = all[goals[event.key] ?? at];
  if (goals[event.key] !== undefined) {
    event.preventDefault();
    goal?.focus();
  }
}
