// Draws a message's components: text, sections, galleries, containers and the controls in them.
import { drawControl } from "./controls-view.js";
import { element } from "./dom.js";
import { drawMarkdown } from "./markdown-view.js";
import { drawAttachment, drawPicture, fieldOf, resolveMedia } from "./media-view.js";

/**
 * A component as Discord sends it, e.g. `{ type: 10, content: "Hello" }`; the numbers are Discord's.
 * @typedef {{ type: number, id?: number, [field: string]: unknown }} Component
 * @typedef {{ around: import("./markdown-view.js").Surroundings,
 *   attachments: readonly import("./media-view.js").Attachment[],
 *   onPress: (customId: string) => Promise<void>, onChoose: (customId: string, values: string[]) => Promise<void> }} Scene
 */

/**
 * @param {Component} component
 * @param {Scene} scene
 * @returns {HTMLElement}
 */
function drawComponent(component, scene) {
  switch (component.type) {
    case 1:
      return element("div", { class: "row" }, ...drawAll(component["components"], scene));
    case 9:
      return element(
        "div",
        { class: "section" },
        element("div", {}, ...drawAll(component["components"], scene)),
        ...drawAll([component["accessory"]], scene),
      );
    case 10:
      return drawMarkdown(fieldOf(component, "content"), scene.around);
    case 11:
      return drawMedia(component, "thumbnail", scene);
    case 12:
      return drawGallery(component, scene);
    case 13: {
      const { attachment } = resolveMedia(component["file"], scene.attachments);
      return attachment === undefined ? drawUnknown(component) : drawAttachment(attachment);
    }
    case 14:
      return element("hr", {
        class: `gap-${component["spacing"] === 2 ? 2 : 1}${component["divider"] === false ? " blank" : ""}`,
      });
    case 17:
      return drawContainer(component, scene);
    default:
      return drawControl(component, scene) ?? drawUnknown(component);
  }
}

/**
 * @param {unknown} components
 * @param {Scene} scene
 */
export function drawAll(components, scene) {
  return listOf(components).map((component) => drawComponent(component, scene));
}

/**
 * What of something from outside are components.
 * @param {unknown} value
 * @returns {Component[]}
 */
export function listOf(value) {
  return Array.isArray(value) ? value.filter((one) => typeof one?.type === "number") : [];
}

/**
 * @param {Component} component
 * @param {Scene} scene
 */
function drawGallery(component, scene) {
  const items = Array.isArray(component["items"]) ? component["items"] : [];
  return element(
    "div",
    { class: items.length === 1 ? "gallery alone" : "gallery" },
    ...items.map((item) => drawMedia(item, "gallery-item", scene)),
  );
}

/**
 * @param {Readonly<Record<string, unknown>>} item
 * @param {string} kind
 * @param {Scene} scene
 */
function drawMedia(item, kind, scene) {
  const media = resolveMedia(item["media"], scene.attachments);
  const description = fieldOf(item, "description") || (media.attachment?.description ?? "");
  const figure = element("figure", { class: kind });
  if (media.attachment?.contentType?.startsWith("video/") === true) {
    figure.append(drawAttachment(media.attachment));
  } else {
    figure.append(drawPicture(media, description, item["spoiler"] === true));
  }
  return figure;
}

/**
 * @param {Component} component
 * @param {Scene} scene
 */
function drawContainer(component, scene) {
  const box = element("div", { class: "container" }, ...drawAll(component["components"], scene));
  const accent = component["accent_color"];
  if (typeof accent === "number") {
    box.style.setProperty("--accent", `#${accent.toString(16).padStart(6, "0")}`);
  }
  return box;
}

/** @param {Component} component */
function drawUnknown(component) {
  return element("p", { class: "subtext" }, `(a component of type ${component.type}, not drawn here)`);
}
