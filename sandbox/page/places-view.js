// Where one can be and who one can be: the list of channels and the member switcher.
import { element } from "./dom.js";

/**
 * @param {HTMLElement} list
 * @param {readonly { id: string, name: string, kind: number }[]} channels
 * @param {string} openId
 * @param {(id: string) => void} onOpen
 */
export function drawChannels(list, channels, openId, onOpen) {
  const shown = JSON.stringify([channels, openId]);
  if (list.dataset["shown"] === shown) {
    return; // drawn anew the focus would be lost
  }
  list.dataset["shown"] = shown;
  list.replaceChildren(
    ...channels.map(({ id, name, kind }) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", "aria-current": id === openId && "page", onclick: () => onOpen(id) },
          element("span", { class: "sigil", "aria-hidden": "true" }, kind === 1 ? "@" : "#"),
          name,
        ),
      ),
    ),
  );
}

/**
 * @param {HTMLSelectElement} select
 * @param {readonly { name: string, role: string }[]} members
 * @param {string} current
 * @param {(name: string) => void} onSwitch
 */
export function drawMembers(select, members, current, onSwitch) {
  if (select.options.length !== members.length) {
    select.replaceChildren(
      ...members.map(({ name, role }) =>
        element("option", { value: name }, role === "" ? name : `${name} (${role})`),
      ),
    );
    select.addEventListener("change", () => onSwitch(select.value));
  }
  select.value = current;
}
