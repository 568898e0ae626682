// Pictures and files of a message.
import { element } from "./dom.js";

/**
 * @typedef {{ id: string, filename: string, url: string, size: number, description?: string, contentType?: string,
 *   width?: number, height?: number, spoiler: boolean }} Attachment
 */

/**
 * The address of a component's media: `attachment://name` is one of the message's own files.
 * @param {unknown} media
 * @param {readonly Attachment[]} attachments
 * @returns {{ url: string, attachment: Attachment | undefined }}
 */
export function resolveMedia(media, attachments) {
  const url = fieldOf(media, "url");
  const name = url.startsWith("attachment://") ? url.slice("attachment://".length) : undefined;
  const attachment = attachments.find((one) => one.filename === name || one.url === url);
  return { url: attachment?.url ?? url, attachment };
}

/**
 * A text field of something from outside; empty where it is none.
 * @param {unknown} value
 * @param {string} name
 */
export function fieldOf(value, name) {
  const field = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof field === "string" ? field : "";
}

/**
 * A picture that opens in a tab of its own; a spoiler is veiled until it is pressed.
 * @param {{ url: string, attachment: Attachment | undefined }} media
 * @param {string} description
 * @param {boolean} isSpoiler
 */
export function drawPicture({ url, attachment }, description, isSpoiler) {
  const picture = element("img", {
    src: url,
    alt: description,
    width: attachment?.width,
    height: attachment?.height,
    decoding: "async",
  });
  const link = element(
    "a",
    { href: url, target: "_blank", rel: "noopener noreferrer", class: "picture", title: description },
    picture,
  );
  if (isSpoiler) {
    link.classList.add("veiled");
    link.addEventListener("click", function reveal(event) {
      event.preventDefault();
      link.classList.remove("veiled");
      link.removeEventListener("click", reveal);
    });
  }
  return link;
}

/** @param {Attachment} attachment */
export function drawAttachment(attachment) {
  const { contentType = "", filename, url, description, spoiler } = attachment;
  if (contentType.startsWith("image/")) {
    return drawPicture({ url, attachment }, description ?? filename, spoiler);
  }
  if (contentType.startsWith("video/")) {
    return element("video", {
      src: url,
      controls: true,
      preload: "metadata",
      "aria-label": description ?? filename,
    });
  }
  return element(
    "a",
    { href: url, download: filename, class: "file" },
    element("span", {}, filename),
    element("span", { class: "subtext" }, formatSize(attachment.size)),
  );
}

/** @param {number} sizeBytes */
function formatSize(sizeBytes) {
  if (sizeBytes < 1024) {
    return `${sizeBytes} bytes`;
  }
  return sizeBytes < 1_048_576
    ? `${(sizeBytes / 1024).toFixed(1)} KB`
    : `${(sizeBytes / 1_048_576).toFixed(1)} MB`;
}
