// Converts markdown to plain text, for the line above a reply and for screen readers. Pure.
import type { Inline } from "./markdown-inline.ts";
import type { Block } from "./markdown.ts";
import { formatTimestamp } from "./timestamp.ts";

export interface Names {
  readonly user: (id: string) => string | undefined;
  readonly role: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
}

export function plainText(blocks: readonly Block[], names: Names, nowMs: number): string {
  const wordsOf = (nodes: readonly Inline[]): string => nodes.map(wordsOfNode).join("");

  function wordsOfNode(node: Inline): string {
    switch (node.type) {
      case "text":
      case "code":
        return node.text;
      case "timestamp":
        return formatTimestamp(node.seconds, node.style, nowMs);
      case "mention":
        return `${node.kind === "channel" ? "#" : "@"}${names[node.kind](node.id) ?? "unknown"}`;
      case "everyone":
        return `@${node.name}`;
      case "command":
        return `/${node.name}`;
      case "link":
      case "spoiler":
      case "strong":
      case "emphasis":
      case "underline":
      case "strike":
        return wordsOf(node.children);
    }
  }

  function wordsOfBlock(block: Block): string {
    switch (block.type) {
      case "codeBlock":
        return block.text;
      case "list":
        return block.items.map(({ children }) => wordsOf(children)).join("\n");
      case "heading":
      case "subtext":
      case "quote":
      case "paragraph":
        return wordsOf(block.children);
    }
  }

  return blocks.map(wordsOfBlock).join("\n").trim();
}
