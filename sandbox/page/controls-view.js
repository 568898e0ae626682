// Buttons and selects of a message.
import { element } from "./dom.js";
import { fieldOf } from "./media-view.js";

/**
 * @typedef {import("./components-view.js").Component} Component
 * @typedef {import("./components-view.js").Scene} Scene
 */

const BUTTON_STYLES = ["", "primary", "secondary", "success", "danger", "link"];
const LINK_STYLE = 5;

/**
 * @param {Component} component
 * @param {Scene} scene
 * @returns {HTMLElement | undefined} undefined for what is no control
 */
export function drawControl(component, scene) {
  if (component.type === 2) {
    return drawButton(component, scene);
  }
  return component.type === 3 ? drawSelect(component, scene) : undefined;
}

/**
 * @param {Component} component
 * @param {Scene} scene
 */
function drawButton(component, scene) {
  const emoji = fieldOf(component["emoji"], "name");
  const label = fieldOf(component, "label");
  const style = Number(component["style"]);
  const words = [
    emoji === "" ? undefined : element("span", { "aria-hidden": label !== "" && "true" }, emoji),
    label === "" ? undefined : element("span", {}, label),
  ];
  if (style === LINK_STYLE) {
    const href = fieldOf(component, "url");
    // The bot may link anywhere, but a press must not run anything: `javascript:` is no web address.
    const isWeb = /^https?:\/\//i.test(href);
    return element(
      "a",
      { class: "button link", href: isWeb ? href : undefined, target: "_blank", rel: "noopener noreferrer" },
      ...words,
      " ↗",
    );
  }
  const button = element(
    "button",
    {
      type: "button",
      class: `button ${BUTTON_STYLES[style] ?? "secondary"}`,
      disabled: component["disabled"] === true,
    },
    ...words,
  );
  button.addEventListener(
    "click",
    () => void whileBusy(button, () => scene.onPress(fieldOf(component, "custom_id"))),
  );
  return button;
}

/**
 * @param {Component} component
 * @param {Scene} scene
 */
function drawSelect(component, scene) {
  const customId = fieldOf(component, "custom_id");
  const placeholder = fieldOf(component, "placeholder") || "Choose";
  const most = Number(component["max_values"] ?? 1);
  const select = element(
    "select",
    {
      "aria-label": placeholder,
      disabled: component["disabled"] === true,
      multiple: most > 1,
    },
    most > 1 ? undefined : element("option", { value: "", disabled: true, hidden: true }, placeholder),
    ...drawOptions(component),
  );
  if (most > 1) {
    const send = element("button", { type: "button", class: "button secondary" }, "Choose");
    send.addEventListener(
      "click",
      () => void whileBusy(send, () => scene.onChoose(customId, valuesOf(select))),
    );
    return element("div", { class: "select" }, select, send);
  }
  select.value = optionsOf(component).find((option) => option["default"] === true)?.["value"] ?? "";
  select.addEventListener(
    "change",
    () => void whileBusy(select, () => scene.onChoose(customId, valuesOf(select))),
  );
  return element("div", { class: "select" }, select);
}

/**
 * @param {Component} component
 * @returns {{ label: string, value: string, description?: string, default?: boolean, emoji?: unknown }[]}
 */
function optionsOf(component) {
  return Array.isArray(component["options"]) ? component["options"] : [];
}

/**
 * A string select's options, e.g. of a form too.
 * @param {Component} component
 */
export function drawOptions(component) {
  return optionsOf(component).map(({ label, value, description, default: isChosen, emoji }) =>
    element(
      "option",
      { value, selected: isChosen === true },
      `${[fieldOf({ emoji: fieldOf(emoji, "name") }, "emoji"), label].join(" ").trim()}${description === undefined ? "" : ` — ${description}`}`,
    ),
  );
}

/** @param {HTMLSelectElement} select */
export function valuesOf(select) {
  return [...select.selectedOptions].map(({ value }) => value);
}

/**
 * Not to be pressed twice until the bot has acknowledged.
 * @param {HTMLButtonElement | HTMLSelectElement} control
 * @param {() => Promise<void>} work
 */
async function whileBusy(control, work) {
  if (control.hasAttribute("aria-busy")) {
    return;
  }
  // Not disabled: a disabled control loses the keyboard's focus.
  control.setAttribute("aria-busy", "true");
  try {
    await work();
  } finally {
    control.removeAttribute("aria-busy");
  }
}
