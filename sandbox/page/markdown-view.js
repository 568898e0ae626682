// Draws what markdown.js read. Only http and https links become links: the parser reads no others.
import { element } from "./dom.js";
import { parseMarkdown } from "./markdown.js";
import { formatTimestamp } from "./timestamp.js";

/**
 * What the page knows that a text may speak of.
 * @typedef {{ nowMs: () => number, userName: (id: string) => string | undefined,
 *   channelName: (id: string) => string | undefined, onCommand: (name: string) => void }} Surroundings
 * @typedef {import("./markdown-inline.js").Inline} Inline
 */

const TAGS = /** @type {const} */ ({
  strong: "strong",
  emphasis: "em",
  underline: "u",
  strike: "s",
});

/**
 * @param {string} text
 * @param {Surroundings} around
 * @returns {HTMLElement}
 */
export function drawMarkdown(text, around) {
  return element("div", { class: "text" }, ...parseMarkdown(text).map((block) => drawBlock(block, around)));
}

/**
 * @param {import("./markdown.js").Block} block
 * @param {Surroundings} around
 */
function drawBlock(block, around) {
  switch (block.type) {
    case "heading":
      // The page has h1 and h2 of its own.
      return element(
        "div",
        { role: "heading", "aria-level": block.level + 2, class: `heading heading-${block.level}` },
        ...drawInline(block.children, around),
      );
    case "subtext":
      return element("p", { class: "subtext" }, ...drawInline(block.children, around));
    case "quote":
      return element("blockquote", {}, ...drawInline(block.children, around));
    case "codeBlock":
      return element("pre", { tabindex: 0 }, element("code", {}, block.text));
    case "list":
      return element(
        block.start === undefined ? "ul" : "ol",
        block.start === undefined ? {} : { start: block.start },
        ...block.items.map(({ indent, children }) =>
          element("li", { class: `indent-${indent}` }, ...drawInline(children, around)),
        ),
      );
    case "paragraph":
    default:
      return element("p", {}, ...drawInline(block.children, around));
  }
}

/**
 * @param {readonly Inline[]} nodes
 * @param {Surroundings} around
 * @returns {(Node | string)[]}
 */
function drawInline(nodes, around) {
  return nodes.map((node) => drawNode(node, around));
}

/**
 * @param {Inline} node
 * @param {Surroundings} around
 * @returns {Node | string}
 */
function drawNode(node, around) {
  switch (node.type) {
    case "text":
      return node.text;
    case "code":
      return element("code", {}, node.text);
    case "link":
      return element(
        "a",
        { href: node.url, target: "_blank", rel: "noopener noreferrer" },
        ...drawInline(node.children, around),
      );
    case "timestamp":
      return drawTimestamp(node, around);
    case "mention":
      return element("span", { class: "mention" }, mentionText(node, around));
    case "command":
      return element(
        "button",
        { type: "button", class: "mention", onclick: () => around.onCommand(node.name) },
        `/${node.name}`,
      );
    case "spoiler":
      return drawSpoiler(drawInline(node.children, around));
    case "strong":
    case "emphasis":
    case "underline":
    case "strike":
    default:
      return element(TAGS[node.type], {}, ...drawInline(node.children, around));
  }
}

/**
 * @param {Extract<Inline, { type: "timestamp" }>} node
 * @param {Surroundings} around
 */
function drawTimestamp({ seconds, style }, around) {
  const nowMs = around.nowMs();
  return element(
    "time",
    { title: formatTimestamp(seconds, "F", nowMs), "data-seconds": seconds, "data-style": style },
    formatTimestamp(seconds, style, nowMs),
  );
}

/**
 * Relative times go on counting without being drawn anew.
 * @param {ParentNode} root
 * @param {number} nowMs
 */
export function refreshTimestamps(root, nowMs) {
  for (const node of root.querySelectorAll('time[data-style="R"]')) {
    const words = formatTimestamp(Number(node.getAttribute("data-seconds")), "R", nowMs);
    if (node.textContent !== words) {
      node.textContent = words;
    }
  }
}

/**
 * @param {Extract<Inline, { type: "mention" }>} node
 * @param {Surroundings} around
 */
function mentionText({ kind, id }, around) {
  if (kind === "channel") {
    return `#${around.channelName(id) ?? "unknown"}`;
  }
  return `@${(kind === "user" ? around.userName(id) : undefined) ?? kind}`;
}

/** @param {(Node | string)[]} children */
function drawSpoiler(children) {
  const spoiler = element("button", { type: "button", class: "spoiler", "aria-label": "Show spoiler" });
  const inside = element("span", {}, ...children);
  inside.inert = true;
  spoiler.append(inside);
  spoiler.addEventListener(
    "click",
    () => spoiler.replaceWith(element("span", { class: "shown" }, ...inside.childNodes)),
    { once: true },
  );
  return spoiler;
}
