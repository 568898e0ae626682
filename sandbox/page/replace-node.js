// Puts a message drawn anew in the place of the old one, without losing where the keyboard is.
const CONTROLS = "button, select";

/**
 * Who pressed a button by keyboard goes on from the same one: known by its words, else by its place in the row.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
export function replaceNode(old, fresh) {
  const before = controlsOf(old);
  const held = before.findIndex((control) => control === document.activeElement);
  old.replaceWith(fresh);
  if (held !== -1) {
    const after = controlsOf(fresh);
    const words = before[held]?.textContent;
    const same = after.find((control) => control.textContent === words && !control.matches(":disabled"));
    (same ?? after[held])?.focus({ preventScroll: true });
  }
}

/** @param {HTMLElement} node */
function controlsOf(node) {
  return /** @type {HTMLElement[]} */ ([...node.querySelectorAll(CONTROLS)]); // no such element of SVG is drawn here
}
