// The part of Discord's markdown that a bot's messages use, read into a tree. Pure: markdown-view.js draws it.
import { parseInline } from "./markdown-inline.js";

/**
 * @typedef {import("./markdown-inline.js").Inline} Inline
 * @typedef {{ type: "paragraph" | "subtext" | "quote", children: Inline[] }
 *   | { type: "heading", level: number, children: Inline[] }
 *   | { type: "list", start: number | undefined, items: { indent: number, children: Inline[] }[] }
 *   | { type: "codeBlock", language: string, text: string }} Block
 */

const FENCE = "```";
const BULLET = /^( *)[-*] +(\S.*)$/;
const NUMBER = /^( *)(\d{1,9})\. +(\S.*)$/;

/**
 * Reads a message's text into blocks. Every text has a reading: what is not markdown stays as it was typed.
 * @param {string} text
 * @returns {Block[]}
 */
export function parseMarkdown(text) {
  /** @type {Block[]} */
  const blocks = [];
  let rest = text;
  while (rest !== "") {
    const open = rest.indexOf(FENCE);
    const close = open === -1 ? -1 : rest.indexOf(FENCE, open + FENCE.length);
    if (close === -1) {
      parseLines(rest, blocks);
      break;
    }
    parseLines(rest.slice(0, open).replace(/\n$/, ""), blocks);
    blocks.push(parseCode(rest.slice(open + FENCE.length, close)));
    rest = rest.slice(close + FENCE.length).replace(/^\n/, "");
  }
  return blocks;
}

/**
 * @param {string} inside
 * @returns {Block}
 */
function parseCode(inside) {
  const [, language = "", text = inside] = /^([\w+#-]*)\n([^]*)$/.exec(inside) ?? [];
  return { type: "codeBlock", language, text: text.replace(/\n$/, "") };
}

/**
 * @param {string} text
 * @param {Block[]} blocks
 */
function parseLines(text, blocks) {
  if (text === "") {
    return;
  }
  for (const line of text.split("\n")) {
    addLine(line, blocks);
  }
}

/**
 * A line joins the block above it where both are of one kind.
 * @param {string} line
 * @param {Block[]} blocks
 */
function addLine(line, blocks) {
  const above = blocks.at(-1);
  const [, hashes, heading] = /^(#{1,3}) +(\S.*)$/.exec(line) ?? [];
  const [, bulletIndent, bullet] = BULLET.exec(line) ?? [];
  const [, numberIndent, start, numbered] = NUMBER.exec(line) ?? [];
  if (hashes !== undefined && heading !== undefined) {
    blocks.push({ type: "heading", level: hashes.length, children: parseInline(heading) });
  } else if (line.startsWith("-# ")) {
    blocks.push({ type: "subtext", children: parseInline(line.slice(3)) });
  } else if (bullet !== undefined) {
    addItem(undefined, bulletIndent ?? "", bullet, blocks);
  } else if (numbered !== undefined) {
    addItem(Number(start), numberIndent ?? "", numbered, blocks);
  } else {
    const type = line.startsWith("> ") ? "quote" : "paragraph";
    const children = parseInline(type === "quote" ? line.slice(2) : line);
    if (above?.type === type) {
      above.children.push({ type: "text", text: "\n" }, ...children);
    } else {
      blocks.push({ type, children });
    }
  }
}

/**
 * @param {number | undefined} start
 * @param {string} indent
 * @param {string} text
 * @param {Block[]} blocks
 */
function addItem(start, indent, text, blocks) {
  const item = { indent: Math.min(3, Math.floor(indent.length / 2)), children: parseInline(text) };
  const above = blocks.at(-1);
  if (above?.type === "list" && (above.start === undefined) === (start === undefined)) {
    above.items.push(item);
  } else {
    blocks.push({ type: "list", start, items: [item] });
  }
}
