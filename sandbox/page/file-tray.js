// Files chosen but not yet sent, as chips above the box.
import { element } from "./dom.js";

/** The tray's name for a message's own files; a command's stand under their option's name. */
export const LOOSE = "";

/**
 * @param {{ fileInput: HTMLInputElement, chips: HTMLElement, onChange: () => void }} options
 */
export function createFileTray({ fileInput, chips, onChange }) {
  /** @type {Map<string, File[]>} */
  const chosen = new Map();
  let choosingFor = LOOSE;

  function draw() {
    chips.replaceChildren(
      ...[...chosen].flatMap(([option, files]) => files.map((file) => drawChip(option, file))),
    );
  }

  function drawChip(/** @type {string} */ option, /** @type {File} */ file) {
    const remove = () => {
      chosen.delete(option);
      draw();
      onChange();
    };
    return element(
      "button",
      { type: "button", class: "chip", "aria-label": `Remove ${file.name}`, onclick: remove },
      `${option === LOOSE ? "" : `${option}: `}${file.name} ×`,
    );
  }

  fileInput.addEventListener("change", () => {
    const files = [...(fileInput.files ?? [])];
    if (files.length > 0) {
      chosen.set(choosingFor, files);
    }
    fileInput.value = "";
    draw();
    onChange();
  });

  return {
    /** Opens the browser's chooser. @param {string} option */
    choose(option) {
      choosingFor = option;
      fileInput.multiple = option === LOOSE;
      fileInput.click();
    },
    /** @param {string} option */
    has: (option) => chosen.has(option),
    loose: () => chosen.get(LOOSE) ?? [],
    /** One file for each attachment option that has one. */
    byOption: () =>
      Object.fromEntries(
        [...chosen].flatMap(([option, [file]]) =>
          option === LOOSE || file === undefined ? [] : [[option, file]],
        ),
      ),
    clear() {
      chosen.clear();
      draw();
    },
  };
}
