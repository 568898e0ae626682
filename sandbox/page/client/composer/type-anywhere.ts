// Whoever begins to type while nothing takes it means the box.
import { draft, focusPlace, MORE, TEXT } from "./draft-state.ts";

/** For `keydown` of the whole page. The letter itself then goes where the focus is. */
export function typeAnywhere(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isLetter = key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
  // Fields take letters, and menus and tabs walk by them.
  const isTaken =
    target instanceof Element &&
    target.closest("input, textarea, select, dialog, [popover], [role=tablist], [role=tabpanel]") !== null;
  if (isLetter && !isTaken && !event.defaultPrevented) {
    focusPlace(draft.value === undefined ? TEXT : MORE);
  }
}
