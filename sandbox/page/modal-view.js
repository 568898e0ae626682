// A form that the bot opened, as a <dialog>.
import { listOf } from "./components-view.js";
import { drawOptions, valuesOf } from "./controls-view.js";
import { element } from "./dom.js";
import { fieldOf } from "./media-view.js";

/**
 * @typedef {import("./components-view.js").Component} Component
 * @typedef {{ customId: string, title: string, components: readonly Component[] }} Modal
 * @typedef {Record<string, string | string[] | File[]>} Fields by custom id
 */

/**
 * Shows the form and settles with what was filled in, `undefined` if it was closed.
 * @param {Modal} modal
 * @param {import("./components-view.js").Scene["around"]} around
 * @param {(text: string, around: import("./components-view.js").Scene["around"]) => HTMLElement} drawText
 * @returns {Promise<Fields | undefined>}
 */
export function askModal(modal, around, drawText) {
  /** @type {Map<string, () => string | string[] | File[]>} */
  const readers = new Map();
  const fields = modal.components.flatMap((component) =>
    component.type === 10 ? [drawText(fieldOf(component, "content"), around)] : drawLabel(component, readers),
  );
  const dialog = element(
    "dialog",
    { "aria-label": modal.title },
    element(
      "form",
      { method: "dialog" },
      element("h2", {}, modal.title),
      ...fields,
      element(
        "div",
        { class: "row end" },
        element("button", { class: "button secondary", value: "", formnovalidate: true }, "Cancel"),
        element("button", { class: "button primary", value: "send" }, "Submit"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(
        dialog.returnValue === "send"
          ? Object.fromEntries([...readers].map(([id, read]) => [id, read()]))
          : undefined,
      );
    });
  });
}

/**
 * @param {Component} component a label (18) or the older action row (1) around one field
 * @param {Map<string, () => string | string[] | File[]>} readers
 */
function drawLabel(component, readers) {
  const [inside] = listOf(component.type === 1 ? component["components"] : [component["component"]]);
  if (inside === undefined) {
    return [];
  }
  const description = fieldOf(component, "description");
  const { node, read } = drawField(inside);
  readers.set(fieldOf(inside, "custom_id"), read);
  return [
    element(
      "label",
      { class: "field" },
      element("span", {}, fieldOf(component, "label") || fieldOf(inside, "label")),
      description === "" ? undefined : element("span", { class: "subtext" }, description),
      node,
    ),
  ];
}

/**
 * @param {Component} field
 * @returns {{ node: HTMLElement, read: () => string | string[] | File[] }}
 */
function drawField(field) {
  const required = field["required"] !== false;
  switch (field.type) {
    case 3: {
      const node = element(
        "select",
        { required, multiple: Number(field["max_values"] ?? 1) > 1 },
        ...drawOptions(field),
      );
      return { node, read: () => valuesOf(node) };
    }
    case 19: {
      const node = element("input", {
        type: "file",
        required,
        multiple: Number(field["max_values"] ?? 1) > 1,
      });
      return { node, read: () => [...(node.files ?? [])] };
    }
    default: {
      const limits = {
        required,
        minlength: numberOf(field["min_length"]),
        maxlength: numberOf(field["max_length"]),
        placeholder: fieldOf(field, "placeholder"),
      };
      const node =
        field["style"] === 2 ? element("textarea", { ...limits, rows: 4 }) : element("input", limits);
      node.value = fieldOf(field, "value");
      return { node, read: () => node.value };
    }
  }
}

/** @param {unknown} value */
function numberOf(value) {
  return typeof value === "number" ? value : undefined;
}
