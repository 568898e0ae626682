// Parses Discord's markdown into blocks, which markdown-view.tsx renders. Pure.
import { parseInline, type Inline } from "./markdown-inline.ts";

export interface ListItem {
  /** The nesting level, from 0 to 3. */
  readonly indent: number;
  readonly children: readonly Inline[];
}

export type Block =
  | { readonly type: "paragraph" | "subtext" | "quote"; readonly children: readonly Inline[] }
  | { readonly type: "heading"; readonly level: number; readonly children: readonly Inline[] }
  /** `start` is the number of the first item; `undefined` for bullets. */
  | { readonly type: "list"; readonly start: number | undefined; readonly items: readonly ListItem[] }
  | { readonly type: "codeBlock"; readonly language: string; readonly text: string };

/** Consecutive lines of one kind, or a finished block. The text of the lines has not been parsed yet. */
type Draft =
  | { readonly type: "paragraph" | "quote"; readonly lines: string[] }
  | { readonly type: "list"; readonly start: number | undefined; readonly items: ListItem[] }
  | { readonly type: "done"; readonly block: Block };

const FENCE = "```";
const BULLET = /^( *)[-*] +(\S.*)$/;
const NUMBER = /^( *)(\d{1,9})\. +(\S.*)$/;
/** The start of a quote that extends to the end of the text. */
const LONG_QUOTE = /(?:^|\n)>>> ?/;

/** Never fails: text that is not markdown stays as it was typed. */
export function parseMarkdown(text: string): Block[] {
  const drafts: Draft[] = [];
  let rest = text;
  while (rest !== "") {
    const open = rest.indexOf(FENCE);
    const close = open === -1 ? -1 : rest.indexOf(FENCE, open + FENCE.length);
    if (close === -1) {
      readLines(rest, drafts);
      break;
    }
    readLines(rest.slice(0, open).replace(/\n$/, ""), drafts);
    drafts.push({ type: "done", block: readCode(rest.slice(open + FENCE.length, close)) });
    rest = rest.slice(close + FENCE.length).replace(/^\n/, "");
  }
  return drafts.map(finish);
}

function finish(draft: Draft): Block {
  switch (draft.type) {
    case "done":
      return draft.block;
    case "list":
      return { type: "list", start: draft.start, items: draft.items };
    case "paragraph":
    case "quote":
      // The lines are parsed together, because emphasis and spoilers may extend over several.
      return { type: draft.type, children: parseInline(draft.lines.join("\n")) };
  }
}

function readCode(inside: string): Block {
  const [, language = "", text = inside] = /^([\w+#-]*)\n([^]*)$/.exec(inside) ?? [];
  return { type: "codeBlock", language, text: text.replace(/\n$/, "") };
}

function readLines(text: string, drafts: Draft[]): void {
  if (text === "") {
    return;
  }
  const long = LONG_QUOTE.exec(text);
  if (long === null) {
    for (const line of text.split("\n")) {
      addLine(line, drafts);
    }
    return;
  }
  readLines(text.slice(0, long.index), drafts);
  drafts.push({ type: "quote", lines: text.slice(long.index + long[0].length).split("\n") });
}

function addLine(line: string, drafts: Draft[]): void {
  const above = drafts.at(-1);
  const [, hashes, heading] = /^(#{1,3}) +(\S.*)$/.exec(line) ?? [];
  const [, bulletIndent = "", bullet] = BULLET.exec(line) ?? [];
  const [, numberIndent = "", start, numbered] = NUMBER.exec(line) ?? [];
  if (hashes !== undefined && heading !== undefined) {
    const block = { type: "heading", level: hashes.length, children: parseInline(heading) } as const;
    drafts.push({ type: "done", block });
  } else if (line.startsWith("-# ")) {
    drafts.push({ type: "done", block: { type: "subtext", children: parseInline(line.slice(3)) } });
  } else if (bullet !== undefined) {
    addItem(undefined, bulletIndent, bullet, drafts);
  } else if (numbered !== undefined) {
    addItem(Number(start), numberIndent, numbered, drafts);
  } else {
    const type = line.startsWith("> ") ? "quote" : "paragraph";
    const words = type === "quote" ? line.slice(2) : line;
    if (above?.type === type) {
      above.lines.push(words);
    } else {
      drafts.push({ type, lines: [words] });
    }
  }
}

function addItem(start: number | undefined, indent: string, text: string, drafts: Draft[]): void {
  const item = { indent: Math.min(3, Math.floor(indent.length / 2)), children: parseInline(text) };
  const above = drafts.at(-1);
  if (above?.type === "list" && (above.start === undefined) === (start === undefined)) {
    above.items.push(item);
  } else {
    drafts.push({ type: "list", start, items: [item] });
  }
}
