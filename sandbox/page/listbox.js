// The list under (well, above) the box: shown, walked with the arrow keys, chosen with Enter, Tab or a press.
import { element } from "./dom.js";

/**
 * @template Item
 * @param {{ box: HTMLElement, input: HTMLElement, describe: (item: Item) => { label: string, detail: string },
 *   onChoose: (item: Item) => void }} options the input keeps the focus; the active entry is told by aria-activedescendant
 */
export function createListbox({ box, input, describe, onChoose }) {
  /** @type {readonly Item[]} */
  let items = [];
  let active = -1;

  function activate(/** @type {number} */ index) {
    box.children[active]?.setAttribute("aria-selected", "false");
    active = index;
    const node = box.children[active];
    node?.setAttribute("aria-selected", "true");
    node?.scrollIntoView({ block: "nearest" });
    if (node === undefined) {
      input.removeAttribute("aria-activedescendant");
    } else {
      input.setAttribute("aria-activedescendant", node.id);
    }
  }

  const list = {
    /**
     * @param {readonly Item[]} next
     * @param {boolean} isFirstActive whether Enter takes the first one at once
     */
    show(next, isFirstActive) {
      items = next;
      box.replaceChildren(
        ...items.map((item, index) => {
          const { label, detail } = describe(item);
          const node = element(
            "li",
            { role: "option", id: `${box.id}-${index}`, "aria-selected": "false" },
            element("span", {}, label),
            element("span", { class: "subtext" }, detail),
          );
          // Before the click, so that the input does not lose the focus.
          node.addEventListener("pointerdown", (event) => {
            event.preventDefault();
            onChoose(item);
          });
          return node;
        }),
      );
      box.hidden = items.length === 0;
      input.setAttribute("aria-expanded", String(!box.hidden));
      activate(isFirstActive && items.length > 0 ? 0 : -1);
    },
    hide: () => list.show([], false),
    /**
     * Handles a key if it is the list's.
     * @param {KeyboardEvent} event
     * @returns {boolean} whether it was
     */
    takeKey(event) {
      if (box.hidden) {
        return false;
      }
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      const chosen = items[event.key === "Tab" && !event.shiftKey ? Math.max(0, active) : active];
      if (step !== 0) {
        activate((active + step + items.length + (active === -1 && step === -1 ? 1 : 0)) % items.length);
      } else if (event.key === "Escape") {
        list.hide();
      } else if ((event.key === "Tab" && !event.shiftKey) || event.key === "Enter") {
        if (chosen === undefined) {
          return false;
        }
        onChoose(chosen);
      } else {
        return false;
      }
      event.preventDefault();
      return true;
    },
  };
  return list;
}
